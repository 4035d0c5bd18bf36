"""deploy/install.sh in a folder of its own, behind nginx and Caddy as documented: installed, upgraded, turned back.

Real are the script, git, rsync, the links, the units' commands, the processes and the proxy. Stood in for are systemctl
(tests/harness/systemctl.py), apt, the user, and the program, by one that says which release it is
(tests/harness/release_stub). What the program itself does then, tests/flows/test_side_by_side.py looks at.
"""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
import requests

from tests.harness import proxy, systemctl
from tests.harness.threads import Threads
from wallboard.demo.processes import BASE_DIR, free_port, wait_until

STUB = BASE_DIR / "tests" / "harness" / "release_stub"
PRELUDE = """
source {clone}/deploy/install.sh
program={root}/srv settings={root}/wallboard.env data={root}/data units={root}/units
serving={serving} bridge={bridge} patience={patience} settling={settling} proxies=({root}/proxies)
export STUB_ROOT={root} STUB_DRAIN_SECONDS={settling}
packages() {{ :; }}
own_user() {{ mkdir -p "$data"; }}
chown() {{ :; }}
id() {{ echo 0; }}
apt-get() {{ :; }}
has_systemd() {{ true; }}
install() {{ # without owners
    if [ "$1" = -d ]; then mkdir -p "${{@: -1}}"; else cp "${{@: -2}}"; fi
}}
as_wallboard() {{ "$@"; }}
systemctl() {{ {python} -I -S {code}/tests/harness/systemctl.py "$units" "$program" "$@" 9<&-; }}
requirements() {{ # -m daphne is the stub's web.py, -m celery something that waits
    mkdir -p "$1/.venv/bin"
    printf '%s\\n' '#!/bin/bash' 'case "$2" in' 'daphne) exec {python} -I -S web.py "$6" ;;' \\
        'celery) exec sleep 600 ;;' '*) exec {python} -I -S "$@" ;;' 'esac' >"$1/.venv/bin/python"
    chmod +x "$1/.venv/bin/python"
}}
main "$@"
"""


class Machine:
    """A machine to install on, and a clone that holds a release."""

    def __init__(self, root: Path) -> None:
        self.root, self.clone, self.units = root, root / "clone", root / "units"
        self.serving, self.bridge = free_port(), free_port()
        self.patience, self.settling = 10, 0
        self.units.mkdir()
        (root / "proxies").mkdir()
        shutil.copytree(BASE_DIR / "deploy", self.clone / "deploy")
        shutil.copytree(STUB, self.clone, dirs_exist_ok=True)
        shutil.copy(BASE_DIR / ".env.example", self.clone)
        self._git("init", "--quiet")

    def pull(self, version: str) -> None:
        """Another release comes into the clone."""
        (self.clone / "VERSION").write_text(version)
        self._git("add", "--all")
        self._git("-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "--quiet", "-m", version)

    def install(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run the script as its user would."""
        script = PRELUDE.format(**vars(self), code=BASE_DIR, python=sys.executable)
        command = ["bash", "-c", script, "install.sh", *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=60)

    def upgrade(self, version: str, *arguments: str) -> None:
        """Pull a release and install it, which must do."""
        self.pull(version)
        done = self.install(*arguments)
        assert done.returncode == 0, done.stdout + done.stderr

    def release(self, link: str) -> str:
        """The version that a link names."""
        return (self.root / "srv" / link / "VERSION").read_text()

    def lines(self, name: str) -> list[str]:
        """A record, which begins anew."""
        path = self.root / name
        found = path.read_text().splitlines()
        path.unlink()
        return found

    def serves(self, port: int, path: str = "/") -> str:
        """The version that answers at that port; the status of any other answer; nothing without one."""
        try:
            answer = requests.get(f"http://127.0.0.1:{port}{path}", timeout=5)
        except requests.RequestException:
            return ""
        return answer.text if answer.ok else str(answer.status_code)

    def stop(self) -> None:
        """End everything that was started."""
        for pid in self.units.glob("*.pid"):
            systemctl.stop(self.units, pid.stem)

    def _git(self, *arguments: str) -> None:
        subprocess.run(["git", "-C", str(self.clone), *arguments], check=True, timeout=20)


class Visitors(Threads):
    """Ask for pages and post call events without a pause, and keep what was answered."""

    def __init__(self, url: str) -> None:
        super().__init__(*(partial(self._visit, method) for method in ("GET", "POST")))
        self._url = url
        self.answers: list[tuple[int, str]] = []

    def _visit(self, method: str) -> None:
        body = b"{}" if method == "POST" else None
        with requests.Session() as session:
            while not self.is_over.wait(0.005):
                answer = session.request(method, f"{self._url}/hooks/secret/", data=body, timeout=20)
                self.answers.append((answer.status_code, answer.text))


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    made = Machine(tmp_path)
    yield made
    made.stop()


@pytest.mark.parametrize("kind", proxy.KINDS)
def test_an_upgrade_and_the_way_back_are_noticed_by_nobody(machine: Machine, kind: str) -> None:
    if proxy.program(kind) is None:
        pytest.skip(f"no {kind} is installed (Debian: apt-get install {proxy.PACKAGES[kind]})")
    machine.settling, port = 1, free_port()
    machine.upgrade("one", "https://wallboard.example.com")
    with proxy.running(machine.root, port, [machine.serving, machine.bridge], kind) as child:
        assert wait_until(lambda: machine.serves(port) == "one", 20), child.tail()
        with Visitors(f"http://127.0.0.1:{port}") as visitors:
            machine.upgrade("two")
            assert wait_until(lambda: machine.serves(port) == "two", 5)
            assert machine.serves(machine.bridge) == ""
            assert machine.install("--rollback").returncode == 0
            assert wait_until(lambda: machine.serves(port) == "one", 5)

    assert {status for status, _ in visitors.answers} == {200}
    assert {version for _, version in visitors.answers} == {"one", "two"}


def test_everything_happens_in_the_documented_order(machine: Machine) -> None:
    machine.upgrade("one", "https://wallboard.example.com")
    assert machine.lines("commands") == ["one collectstatic --noinput --verbosity 0", "one setup --no-static"]
    first, second = f"wallboard-web@{machine.serving}", f"wallboard-web@{machine.bridge}"
    machine.lines("units/calls")

    machine.upgrade("two")

    assert machine.lines("commands") == [
        "two collectstatic --noinput --verbosity 0",
        "two migrate --check",
        "one backup --keep 14",
        "two setup --no-static",
    ]
    assert machine.lines("units/calls") == [
        *("daemon-reload", f"stop {second}", f"start {second}"),
        *(f"stop {first}", f"start {first}", f"stop {second}"),
        *("stop wallboard-beat wallboard-worker", "start wallboard-worker wallboard-beat"),
    ]
    assert [machine.release(link) for link in ("current", "previous", f"web-{machine.serving}")] == [
        "two",
        "one",
        "two",
    ]

    assert machine.install("--rollback").returncode == 0
    assert machine.lines("units/calls")[-2:] == [
        "stop wallboard-beat wallboard-worker",
        "start wallboard-worker wallboard-beat",
    ]
    assert not (machine.root / "commands").exists()  # the database stays as it is
    assert [machine.release(link) for link in ("current", "previous")] == ["one", "two"]


def test_pages_of_the_release_before_find_their_files_and_no_older_release_stays(machine: Machine) -> None:
    machine.upgrade("one", "https://wallboard.example.com")
    for version in ("two", "three"):
        machine.upgrade(version)

    found = [machine.serves(machine.serving, f"/static/site.{version}.css") for version in ("one", "two", "three")]
    assert found == ["404", "three", "three"]
    assert (machine.root / "srv" / "current" / "staticfiles" / "staticfiles.json").read_text() == "three"
    assert sorted((each / "VERSION").read_text() for each in (machine.root / "srv/releases").iterdir()) == [
        "three",
        "two",
    ]

    assert machine.install("--rollback").returncode == 0
    assert machine.serves(machine.serving, "/static/site.three.css") == "two"


def test_a_release_that_does_not_get_up_changes_nothing(machine: Machine) -> None:
    machine.upgrade("one", "https://wallboard.example.com")
    worker = systemctl.running(machine.units, "wallboard-worker")
    machine.pull("broken")
    machine.patience = 1

    done = machine.install()

    assert done.returncode == 1
    assert "the release from before goes on serving" in done.stderr
    assert (machine.release("current"), machine.serves(machine.serving)) == ("one", "one")
    assert machine.serves(machine.bridge) == ""
    assert systemctl.running(machine.units, "wallboard-worker") == worker != 0

    machine.patience = 10
    machine.upgrade("two")
    assert [machine.release(link) for link in ("current", "previous")] == ["two", "one"]


def test_settings_are_made_up_once_and_then_kept(machine: Machine) -> None:
    machine.upgrade("one", "https://wallboard.example.com")
    settings = machine.root / "wallboard.env"
    written = settings.read_text()
    assert "\nPUBLIC_URL=https://wallboard.example.com\n" in written
    assert "\nSTATIC_ROOT=\n" in written

    machine.upgrade("two", "https://other.example.com")

    assert settings.read_text() == written


def test_a_proxy_that_knows_one_port_stops_it_before_anything_is_changed(machine: Machine) -> None:
    line = f"server 127.0.0.1:{machine.serving};\n# server 127.0.0.1:{machine.bridge};\n"
    (machine.root / "proxies" / "nginx.conf").write_text(line)
    machine.pull("one")

    done = machine.install("https://wallboard.example.com")

    assert (done.returncode, f"127.0.0.1:{machine.bridge}" in done.stderr) == (1, True)
    assert not (machine.root / "srv").exists()


def test_an_installation_from_before_is_taken_over(machine: Machine) -> None:
    """It lay in the program's folder itself, and its one web process was another unit."""
    program, data = machine.root / "srv", machine.root / "data"
    shutil.copytree(STUB, program)
    (program / "VERSION").write_text("zero")
    (machine.root / "wallboard.env").write_text(f"SECRET_KEY=old\nSTATIC_ROOT={data}/static\n")
    (machine.units / "wallboard-web.service").write_text("")
    python = program / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.symlink_to(sys.executable)

    machine.upgrade("one")

    assert "zero backup --keep 14" in machine.lines("commands")
    assert "disable wallboard-web wallboard-worker wallboard-beat" in machine.lines("units/calls")
    assert machine.serves(machine.serving) == "one"
    assert (machine.root / "wallboard.env").read_text() == "SECRET_KEY=old\nSTATIC_ROOT=\n"
    assert {each.name for each in program.iterdir()} == {"releases", "current", f"web-{machine.serving}"}
