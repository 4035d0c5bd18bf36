"""Hosts with files of their own: each a network namespace with an /etc, /srv, /run and /var as Debian lays them out.

Real are the shell, redis-server, Sentinel, PostgreSQL with Debian's clusters, nginx, deploy/install.sh and all of the
wallboard. Stood in for are systemd (tests/harness/systemctl.py), apt, ssh, the virtual environment, for which that of
the tests serves, and the program's own user, who is only asked whether the settings can be read. PostgreSQL does not
fsync, and static files are collected once.
"""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.harness import postgres
from tests.machines.network import Network
from wallboard.demo.processes import BASE_DIR

OWN = ("etc", "srv", "run", "var/lib", "var/log")
NEEDED = ("pg_createcluster", "redis-server", "nginx", "rsync", "git", "curl", "openssl", "runuser", "python3", "scp")
ENTER = """
hostname "$1"; root="$0/$1"
for each in etc srv run var/lib var/log; do mount --bind "$root/$each" "/$each"; done
for each in "$0"/bin/*; do mount --bind "$each" "/usr/bin/${each##*/}"; done
shift; exec "$@"
"""
STAND_INS = {
    "apt-get": "exit 0",
    "scp": """[ "$1" != -r ] || shift; cp -r "{folder}/${{1%%:*}}${{1#*:}}" "$2" """,
    "systemctl": 'exec {python} -I -S {code}/tests/harness/systemctl.py /etc/systemd/system /srv/wallboard "$@" 9<&-',
    "python3": """[ "$1 $2" = "-m venv" ] || exec {python} "$@"
mkdir -p "$3/bin"; printf '#!/bin/sh\n' >"$3/bin/pip"; cp {folder}/release-python "$3/bin/python"
chmod +x "$3"/bin/*""",
    "setpriv": """{folder}/setpriv "$1" "$2" "$3" test -r /etc/wallboard.env || exit 1
shift 3; exec "$@" """,
}
# The static files of a release are the same on each host: the first one collects them for all.
RELEASE_PYTHON = """#!/bin/sh
case "$*" in *collectstatic*) ;; *) exec {python} "$@" ;; esac
if [ -d {folder}/collected ]; then cp -a {folder}/collected/. "$STATIC_ROOT"; exit; fi
{python} "$@" && cp -a "$STATIC_ROOT" {folder}/collected
"""
UNITS = {
    "redis-server": ("redis", "/usr/bin/redis-server /etc/redis/redis.conf --daemonize no", "redis-cli -p 6379 ping"),
    "redis-sentinel": ("redis", "/usr/bin/redis-server /etc/redis/sentinel.conf --sentinel", "redis-cli -p 26379 ping"),
    "postgresql": (
        "postgres",
        "{bin}/postgres -D {data} -c config_file={etc}/postgresql.conf -c fsync=off",
        "pg_isready",
    ),
    "nginx": ("root", "nginx -g 'daemon off;'", "true"),
}
UNIT = """[Service]
WorkingDirectory=/
ExecStart={folder}/setpriv --reuid={user} --regid={user} --init-groups {command}
ExecStartPost=sh -c 'until {asked} >/dev/null 2>&1; do sleep 0.1; done'
KillSignal={signal}
"""


class Debians:
    """The hosts of a network by name; `run` carries commands out as root would, in a clone of this repository."""

    def __init__(self, network: Network, folder: Path, address: str) -> None:
        missing = [each for each in NEEDED if not shutil.which(each) and not Path(f"/usr/sbin/{each}").exists()]
        bin_folder = postgres.programs()
        if missing or bin_folder is None or not Path("/etc/redis/redis.conf").exists():
            pytest.skip(f"not installed as Debian has it: {' '.join(missing) or 'postgresql, redis-server'}")
        self.network, self.folder, self.clone = network, folder, folder / "clone"
        self._bin = (
            bin_folder.resolve() if "postgresql" in str(bin_folder) else (bin_folder / "postgres").resolve().parent
        )
        self._address = address
        (folder / "bin").mkdir()
        shutil.copy("/usr/bin/setpriv", folder / "setpriv")
        self._write_stand_ins()
        for name in network.names:
            self._make(name)
        self._copy_clone()

    def run(self, name: str, script: str, seconds: float = 60) -> str:
        """What the commands print on that host; fails with it where one of them fails."""
        env = {"PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8"}
        env |= {"CURL_CA_BUNDLE": str(self.folder / "cert.pem"), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(
            self.at(name, ["bash", "-euo", "pipefail", "-c", script]),
            cwd=self.clone,
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=seconds,
        )
        assert done.returncode == 0, f"on {name}:\n{script}\n{done.stdout}\n{done.stderr}\n{self.logs(name)}"
        return done.stdout

    def at(self, name: str, command: list[str]) -> list[str]:
        """The command, run on that host among its own files."""
        there = ["unshare", "--mount", "sh", "-c", ENTER, str(self.folder), name, *command]
        return self.network.at(name, there)

    def logs(self, name: str) -> str:
        """The ends of the logs of its services."""
        paths = [*(self.folder / name / "etc/systemd/system").glob("*.log"), *(self.folder / name).glob("var/log/*/*")]
        ends = [(path, path.read_text(errors="replace").splitlines()[-12:]) for path in paths if path.is_file()]
        return "\n".join(f"--- {path.name}\n" + "\n".join(lines) for path, lines in ends)

    def stop(self) -> None:
        """End everything on the hosts."""
        for name in self.network.names:
            for pid in self.network.pids(name):
                os.kill(pid, signal.SIGKILL)

    def _write_stand_ins(self) -> None:
        (self.folder / "release-python").write_text(RELEASE_PYTHON.format(folder=self.folder, python=sys.executable))
        for name, text in STAND_INS.items():
            path = self.folder / "bin" / name
            path.write_text(
                "#!/bin/sh\n" + text.format(folder=self.folder, python=sys.executable, code=BASE_DIR) + "\n"
            )
            path.chmod(0o755)

    def _make(self, name: str) -> None:
        root = self.folder / name
        for each in OWN[1:]:
            (root / each).mkdir(parents=True)
        subprocess.run(["cp", "-a", "/etc", str(root / "etc")], check=True)
        shutil.rmtree(root / "etc/postgresql", ignore_errors=True)
        (root / "etc/postgresql").mkdir()
        for path in ("run/systemd/system", "etc/systemd/system", "var/lib/nginx", "var/log/nginx"):
            (root / path).mkdir(parents=True, exist_ok=True)
        for path, user in (("lib/redis", "redis"), ("log/redis", "redis"), ("lib/postgresql", "postgres")):
            (root / "var" / path).mkdir()
            shutil.chown(root / "var" / path, user, user)
        for user in ("redis", "postgres"):
            (root / "run" / ("postgresql" if user == "postgres" else user)).mkdir()
            shutil.chown(root / "run" / ("postgresql" if user == "postgres" else user), user, user)
        names = {f"{address} {each}" for each, address in self.network.addresses.items()}
        names |= {
            f"{address} {self._address}" for each, address in self.network.addresses.items() if each != "provider"
        }
        (root / "etc/hosts").write_text("\n".join(["127.0.0.1 localhost", *sorted(names)]) + "\n")
        if name != "provider":
            self._add_services(name)

    def _add_services(self, name: str) -> None:
        version = self._bin.parent.name
        made = ["pg_createcluster", version, "main", "--", "--no-sync", "-E", "UTF8"]
        subprocess.run(self.at(name, made), check=True, capture_output=True)
        places = {"data": f"/var/lib/postgresql/{version}/main", "etc": f"/etc/postgresql/{version}/main"}
        for unit, (user, command, asked) in UNITS.items():
            text = UNIT.format(
                folder=self.folder,
                user=user,
                command=command.format(bin=self._bin, **places),
                asked=asked,
                signal="SIGINT" if unit == "postgresql" else "SIGTERM",
            )
            (self.folder / name / "etc/systemd/system" / f"{unit}.service").write_text(text)

    def _copy_clone(self) -> None:
        listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ":!tests", ":!bench"]
        files = subprocess.run(listed, cwd=BASE_DIR, check=True, capture_output=True).stdout
        copied = ["rsync", "--archive", "--from0", "--files-from=-", f"{BASE_DIR}/", f"{self.clone}/"]
        subprocess.run(copied, input=files, check=True)
        for command in (["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "-m", "The release"]):
            who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"]
            subprocess.run(["git", *who, *command], cwd=self.clone, check=True)
