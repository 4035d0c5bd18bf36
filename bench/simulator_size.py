"""The simulator at full size: 5,000 people, 300 queues, 200 deliveries a second, with a slow and a dead subscriber.

python bench/simulator_size.py [--seconds 30]
"""

import argparse
import multiprocessing
import os
import socket
import statistics
import subprocess
import sys
import time
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path
from typing import Any

import requests

ROOT = Path(__file__).resolve().parent.parent
PEOPLE, QUEUES, DELIVERIES_PER_SECOND, STATS_MS, CORES = 5_000, 300, 200.0, 50.0, 1.0
ANSWER = b"HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n"
VERSION = {"Accept": "application/vnd.service.v1.2.0+json"}
STATS_VERSION = {"Accept": "application/vnd.service.v1.4.0+json"}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def receive(port: int, count: "Synchronized[int]", delay_seconds: float) -> None:
    """A subscriber in a process of its own, as plain as can be: counts bodies, answers 204."""
    import asyncio

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while not reader.at_eof():
            try:
                head = await reader.readuntil(b"\r\n\r\n")
            except (asyncio.IncompleteReadError, ConnectionError):
                break
            length = next(line for line in head.split(b"\r\n") if line.lower().startswith(b"content-length"))
            await reader.readexactly(int(length.partition(b":")[2]))
            await asyncio.sleep(delay_seconds)
            writer.write(ANSWER)
            count.value += 1

    async def main() -> None:
        server = await asyncio.start_server(serve, "127.0.0.1", port)
        await server.serve_forever()

    asyncio.run(main())


def start(load: float) -> tuple[subprocess.Popen[bytes], str]:
    port = free_port()
    command = [sys.executable, str(ROOT / "manage.py"), "simulate", "--control", "--port", str(port), "--seed", "1"]
    command += ["--agents", str(PEOPLE), "--queues", str(QUEUES), "--load", str(load)]
    command += ["--client-id", "id", "--client-secret", "secret"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    for _ in range(100):
        try:
            requests.get(url, timeout=2)
            return process, url
        except requests.RequestException:
            time.sleep(0.1)
    raise SystemExit("The simulator did not start.")


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def subscribe(url: str, token: dict[str, str], post_uri: str) -> str:
    body = {"post_uri": post_uri, "expires_in": 3600, "calls": True, "cdrs": True}
    answer = requests.post(f"{url}/api/subscriptions/", json=body, headers=token | VERSION, timeout=10)
    return str(answer.json()["id"])


def measure(url: str, pid: int, seconds: float) -> dict[str, Any]:
    """Deliveries a second, how late they were sent, answer times of the statistics and cores used."""
    form = {"grant_type": "client_credentials", "client_id": "id", "client_secret": "secret"}
    answer = requests.post(f"{url}/api/oauth/token/", data=form, timeout=10).json()
    token = {"Authorization": f"Bearer {answer['access_token']}"}
    counts = [multiprocessing.Value("q", 0) for _ in range(2)]
    ports = [free_port(), free_port()]
    for port, count, delay in zip(ports, counts, (0.0, 5.0), strict=True):
        multiprocessing.Process(target=receive, args=(port, count, delay), daemon=True).start()
    time.sleep(0.5)
    fast = subscribe(url, token, f"http://127.0.0.1:{ports[0]}/fast/")
    subscribe(url, token, f"http://127.0.0.1:{ports[1]}/slow/")
    subscribe(url, token, f"http://127.0.0.1:{free_port()}/dead/")
    time.sleep(8)
    session, took = requests.Session(), []
    began, cpu, received = time.monotonic(), cpu_seconds(pid), counts[0].value
    while time.monotonic() - began < seconds:
        asked = time.monotonic()
        session.get(f"{url}/api/call_queues/stats/live/", headers=token | STATS_VERSION, timeout=10).json()
        took.append((time.monotonic() - asked) * 1000)
        time.sleep(0.2)
    passed = time.monotonic() - began
    rate, cores = (counts[0].value - received) / passed, (cpu_seconds(pid) - cpu) / passed
    deliveries = f"{url}/control/deliveries?subscription={fast}&kind=calls&limit=5000"
    lags = [
        each["sent_at"] - each["due_at"]
        for each in requests.get(deliveries, timeout=30).json()["deliveries"]
        if each["sent_at"]
    ]
    return {"rate": rate, "cores": cores, "took": sorted(took), "lags": sorted(lags)}


def share(values: list[float], part: float) -> float:
    return values[min(int(len(values) * part), len(values) - 1)]


def report(name: str, value: float, goal: float, unit: str, *, at_least: bool = False) -> bool:
    ratio = value / goal
    is_met = ratio >= 1 if at_least else ratio <= 1
    sign = "≥" if at_least else "≤"
    print(f"{name:<44}{value:>9.2f} {unit:<5} goal {sign} {goal:g}  ratio {ratio:.2f}  {'met' if is_met else 'MISSED'}")
    return is_met


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--load", type=float, default=0.45, help="share of the usual calls")
    asked = parser.parse_args()
    process, url = start(asked.load)
    try:
        found = measure(url, process.pid, asked.seconds)
    finally:
        process.terminate()
        process.wait(10)
    print(f"{PEOPLE:,} people, {QUEUES} queues, one fast, one slow (5 s) and one dead subscriber, {asked.seconds:g} s")
    print(f"(machine: {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} by all its processes)")
    met = [
        report("deliveries received by the fast subscriber", found["rate"], DELIVERIES_PER_SECOND, "/s", at_least=True),
        report("cores used by the simulator", found["cores"], CORES, ""),
        report("statistics answered, median", statistics.median(found["took"]), STATS_MS, "ms"),
        report("statistics answered, 99 of 100", share(found["took"], 0.99), STATS_MS, "ms"),
        report("sent after due, 99 of 100", share(found["lags"], 0.99), 100.0, "ms"),
    ]
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
