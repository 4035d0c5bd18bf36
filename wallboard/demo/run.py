"""One run of the demo: settings, processes in the order in which they are needed, and the addresses to open."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping

import requests

from wallboard.demo import redis_server
from wallboard.demo.folder import DemoFolder
from wallboard.demo.processes import BASE_DIR, Child, free_port, procfile, wait_until
from wallboard.demo.supervisor import Supervisor

MANAGE = [sys.executable, "-m", "wallboard"]
AGENTS, QUEUES = "18", "6"
READY_SECONDS = 60
Say = Callable[[str], None]
# Nothing else of the caller's environment: a DATABASE_URL there may be somebody's real one.
PASSED_ON = ("PATH", "HOME", "LANG", "TMPDIR", "SYSTEMROOT")


class CannotStart(Exception):
    """A part of the demo did not come up; the text says which, and shows the end of its log."""


class Demo:
    """Built, it knows its ports and has its settings in the folder; `start` brings it up."""

    def __init__(
        self, folder: DemoFolder, supervisor: Supervisor, say: Callable[[str], None], wanted_port: int
    ) -> None:
        self.folder, self.supervisor, self.say = folder, supervisor, say
        self.port = self._port("the pages", wanted_port)
        self.simulator_port = self._port("the simulated provider", 9000)
        self.redis_port = free_port()
        self.url = f"http://localhost:{self.port}"
        self.provider_url = f"http://127.0.0.1:{self.simulator_port}"
        self.settings = self._settings(folder.secrets())
        folder.write_env(self.settings)
        inherited = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        self.env = inherited | self.settings | {"WALLBOARD_ENV_FILE": "", "PYTHONUNBUFFERED": "1"}

    def _port(self, what: str, wanted: int) -> int:
        try:
            port = free_port(wanted)
        except OSError as error:
            raise CannotStart(f"There is no port for {what}: {error}") from None
        if port != wanted:
            self.say(f"Port {wanted} is taken by another program: {what} will be on {port}.")
        return port

    def _settings(self, secrets: Mapping[str, str]) -> dict[str, str]:
        return {
            **secrets,
            "PUBLIC_URL": self.url,
            "REDIS_URL": f"redis://127.0.0.1:{self.redis_port}/0",
            "DATABASE_URL": f"sqlite:///{self.folder.database}",
            "STATIC_ROOT": str(self.folder.path / "static"),
            "PROVIDER_BASE_URL": self.provider_url,
            "CHECK_SECONDS": "10",  # the simulated provider forgets its subscriptions when it is restarted
        }

    def start(self) -> None:
        """Bring everything up, saying what is done; returns when the site is ready. Raises CannotStart."""
        self.folder.clear_logs()
        self._start_redis()
        self._start_simulator()
        if self.folder.drop_foreign_database():
            self.say("Database    made anew: the old one was of another version of this program.")
        people = self._introduce_company()
        commands = procfile(self.port)
        web = self._child("web", commands["web"])
        self.supervisor.start(web)
        self._wait_for(web, lambda: answers(f"{self.url}/healthz"))  # call events that are asked for can come in now
        for name in ("worker", "beat"):
            self.supervisor.start(self._child(name, commands[name]))
        self.say("Processes   web, worker and beat started; waiting until the first figures and call events are there.")
        self._wait_until_ready()
        self.folder.write("addresses", self._addresses(people))

    def _start_redis(self) -> None:
        try:
            child = redis_server.child(self.redis_port, self.folder.path)
        except FileNotFoundError as error:
            raise CannotStart(str(error)) from error
        self.supervisor.start(child)
        self._wait_for(child, lambda: redis_server.answers(self.redis_port))
        self.say(f"Redis       {child.command[0]} on port {self.redis_port}.")

    def _start_simulator(self) -> None:
        options = {
            "host": "127.0.0.1",
            "port": str(self.simulator_port),
            "agents": AGENTS,
            "queues": QUEUES,
            "scenario": "demo",
            "client-id": self.settings["PROVIDER_CLIENT_ID"],
            "client-secret": self.settings["PROVIDER_CLIENT_SECRET"],
            "login-client-id": self.settings["PROVIDER_LOGIN_CLIENT_ID"],
            "login-client-secret": self.settings["PROVIDER_LOGIN_CLIENT_SECRET"],
            "redirect-uri": f"{self.url}/accounts/callback/",
        }
        flags = [f"--{name}={value}" for name, value in options.items()]  # a secret may begin with "-"
        child = self._child("simulator", [*MANAGE, "simulate", "--control", *flags])
        self.supervisor.start(child)
        self._wait_for(child, lambda: answers(self.provider_url))
        self.say(f"Provider    simulated, on port {self.simulator_port}.")

    def _introduce_company(self) -> dict[str, str]:
        token = self.folder.read("screen").get("token", "")
        output = self._run("demo_company", "--agents", AGENTS, "--queues", QUEUES, "--screen", token)
        people: dict[str, str] = json.loads(output)
        self.folder.write("screen", {"token": people["screen"]})
        self.say("Database    SQLite, up to date; static files collected; the company's queues and people are named.")
        return people

    def _wait_until_ready(self) -> None:
        # What has ended is started again only once everything is up, so there is nothing to wait for.
        if not wait_until(
            lambda: status(f"{self.url}/readyz") == 200 or bool(self.supervisor.dead()), READY_SECONDS, 0.25
        ):
            self.say(
                f"Not ready after {READY_SECONDS} s; {self.url}/readyz says why, the logs are in {self.folder.path}."
            )
        for child in self.supervisor.dead().values():
            raise CannotStart(f"{child.name} has ended. The end of {child.log}:\n{child.tail()}")

    def _addresses(self, people: Mapping[str, str]) -> dict[str, str]:
        return {
            "Board": f"{self.url}/boards/main/   (sign in as {people['supervisor']}, supervisor)",
            "TV, without sign-in": f"{self.url}/screen/{people['screen']}/",
            "Desk": f"{self.url}/desk/   (sign in as {people['agent']}, agent)",
            "Set-up and people": f"{self.url}/setup/   (sign in as {people['administrator']}, administrator)",
            "Admin site": f"{self.url}/admin/   (user admin, password {self.settings['DEMO_ADMIN_PASSWORD']})",
            "Simulated provider": f"{self.provider_url}/",
        }

    def _child(self, name: str, command: list[str]) -> Child:
        return Child(name, command, self.folder.path / f"{name}.log", self.env)

    def _wait_for(self, child: Child, is_up: Callable[[], bool]) -> None:
        wait_until(lambda: is_up() or not child.is_running, 20)
        if not child.is_running:
            raise CannotStart(f"{child.name} has ended. The end of {child.log}:\n{child.tail()}")

    def _run(self, *arguments: str) -> str:
        """Run manage.py in this installation: what it printed."""
        command = [*MANAGE, *arguments]
        done = subprocess.run(command, env=self.env, cwd=BASE_DIR, capture_output=True, text=True, check=False)  # noqa: S603
        if done.returncode:
            raise CannotStart(f"manage.py {arguments[0]} failed:\n{done.stdout}{done.stderr}".rstrip())
        return done.stdout


def status(url: str) -> int:
    """The HTTP status of that address; 0 where nobody answers."""
    try:
        return requests.get(url, timeout=3, allow_redirects=False).status_code
    except requests.RequestException:
        return 0


def answers(url: str) -> bool:
    """Whether an HTTP server answers there, whatever it says."""
    return status(url) > 0
