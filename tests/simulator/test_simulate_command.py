"""`manage.py simulate` on a bare machine: no environment, no database, no Redis, no room of the wallboard."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest
import requests

from tests.harness.simulator import Simulator
from tests.harness.site import bare_environment
from tests.simulator.conftest import Provider
from wallboard.demo.processes import BASE_DIR, free_port

pytestmark = pytest.mark.flow
ROOM = BASE_DIR / "wallboard" / "simulator"


def simulate(*arguments: str, before: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command to its end in a bare environment; `before` is Python that runs first."""
    code = f"import sys; {before}\nsys.argv[1:] = {['simulate', *arguments]!r}\nimport manage; manage.main()"
    return subprocess.run(
        [sys.executable, "-c", code], cwd=BASE_DIR, env=bare_environment(), capture_output=True, text=True, timeout=30
    )


def test_it_prints_credentials_and_a_curl_line_for_each_endpoint(quiet: Simulator) -> None:
    printed = quiet.child.log.read_text()

    for value in (quiet.client_id, quiet.client_secret, quiet.login_client_id, quiet.login_client_secret):
        assert value in printed
    for path in ("oauth/token", "oauth/authorize", "call_queues/stats/live", "subscriptions/ -H", "subscriptions/ID"):
        assert f"{quiet.base_url}/api/{path}" in printed or f"curl -s -X DELETE {quiet.base_url}/api/{path}" in printed


def test_its_curl_lines_work_as_printed(provider: Provider) -> None:
    lines = provider.simulator.child.log.read_text().splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("TOKEN="))
    stats = next(line for line in lines if "stats/live" in line)
    subscribe = next(line for line in lines if "post_uri" in line)

    shell = "\n".join([*lines[start : start + 2], stats, "echo", subscribe])
    done = subprocess.run(["sh", "-c", shell], capture_output=True, text=True, timeout=20)

    figures, subscription = done.stdout.splitlines()
    assert '"calls_waiting"' in figures
    assert '"events"' in subscription


def test_the_commands_of_the_readme_print_a_token_the_queues_and_a_webhook(quiet: Simulator) -> None:
    text = (BASE_DIR / "README.md").read_text().partition("## The simulated provider, alone")[2].partition("\n## ")[0]
    lines = [line.strip() for line in text.splitlines() if line.startswith("    ") and "manage.py" not in line]
    shell = "\n".join([*lines, "sleep 3; kill $!"]).replace("9000", str(quiet.port)).replace("9001", str(free_port()))
    shell = shell.replace("_id=demo", f"_id={quiet.client_id}").replace(
        "_secret=demo", f"_secret={quiet.client_secret}"
    )
    shell = shell.replace(".venv/bin/python", sys.executable)

    done = subprocess.run(["bash", "-c", shell], cwd=BASE_DIR, capture_output=True, text=True, timeout=30)

    assert '"calls_waiting"' in done.stdout, done.stderr
    assert '"post_uri"' in done.stdout
    assert "preparing" in done.stdout


def test_made_up_credentials_differ_each_time() -> None:
    from wallboard.simulator.options import Options

    assert Options().client_secret != Options().client_secret
    assert Options().host == "127.0.0.1"


def test_a_day_goes_on_unless_it_is_told_to_stay() -> None:
    from wallboard.simulator.options import Options
    from wallboard.simulator.service.service import Service

    days = [Service(Options.from_command_line({"start": 9.0, "stay": stay})).floor.day for stay in (False, True)]

    assert [day.time_text(3 * 3600.0) for day in days] == ["12:00", "09:00"]


def test_it_listens_on_loopback_only(quiet: Simulator) -> None:
    listening = Path("/proc/net/tcp").read_text().splitlines()[1:]
    addresses = {line.split()[1] for line in listening if line.split()[3] == "0A"}

    mine = {address for address in addresses if address.endswith(f":{quiet.port:04X}")}
    assert mine == {f"0100007F:{quiet.port:04X}"}


def test_it_says_in_one_sentence_that_an_address_is_taken(quiet: Simulator) -> None:
    done = simulate("--port", str(quiet.port))

    assert done.returncode == 1
    assert done.stderr.strip().splitlines() == [
        f"CommandError: Cannot listen on 127.0.0.1:{quiet.port}: {done.stderr.strip().partition(f'{quiet.port}: ')[2]}"
    ]
    assert "in use" in done.stderr


@pytest.mark.parametrize("missing", ["aiohttp", "simpy"])
def test_it_says_in_one_sentence_what_to_install(missing: str) -> None:
    done = simulate(before=f"sys.modules[{missing!r}] = None")

    assert done.returncode == 1
    assert done.stderr.strip() == f"CommandError: The simulator needs {missing}: pip install -r requirements-dev.txt"


@pytest.mark.parametrize(
    "arguments",
    [
        ["--port", "0"],
        ["--port", "70000"],
        ["--agents", "0"],
        ["--queues", "1000"],
        ["--speed", "0"],
        ["--speed", "fast"],
        ["--load", "-1"],
        ["--start", "25:00"],
        ["--scenario", "none"],
    ],
)
def test_wrong_arguments_are_told(arguments: list[str]) -> None:
    done = simulate(*arguments)

    assert done.returncode == 2
    assert arguments[0] in done.stderr
    assert "Traceback" not in done.stderr


def test_it_imports_no_room_and_no_room_imports_it() -> None:
    foreign = set()
    for file in ROOM.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            foreign |= {name for name in names if name.startswith(("wallboard", "accounts", "tests"))}

    assert {name for name in foreign if not name.startswith("wallboard.simulator")} == set()


# Run in the process itself: stops it a second after it is ready to be stopped, however long its start takes.
STOP_SOON = """
import os, signal, threading, time
def stop_soon():
    while signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        time.sleep(0.05)
    time.sleep(1)
    os.kill(os.getpid(), signal.SIGTERM)
threading.Thread(target=stop_soon, daemon=True).start()
"""


def test_its_process_holds_no_room_no_database_and_no_redis() -> None:
    rooms = "{'.'.join(name.split('.')[:2]) for name in sys.modules if name.startswith(('wallboard', 'accounts'))}"
    loaded = f"print(sorted({rooms}), "
    loaded += "'redis' in sys.modules, 'celery' in sys.modules, 'sqlite3' in sys.modules)"
    stop = "import atexit; atexit.register(lambda: exec(" + repr(loaded) + "))"

    done = simulate("--port", str(free_port()), before=stop + STOP_SOON)

    assert done.returncode == 0, done.stderr
    modules = ["wallboard", "wallboard.__main__", "wallboard.simulator"]
    assert done.stdout.strip().splitlines()[-1] == f"{modules} False False False"


def test_it_stops_at_once_when_told(quiet: Simulator) -> None:
    other = Simulator(quiet.folder, bare_environment(), options={"scenario": "demo"})
    other.start()
    requests.get(other.base_url, timeout=5)

    other.child.kill(15)

    assert other.child.process is not None
    assert other.child.process.wait(4) == 0
