"""`make image`: the container image built and run as it is meant to be, without a registry of images.

The base is made of Debian's own packages (mmdebstrap) and the image is built by buildah. setup, web, worker, beat,
doctor and backup then run under crun as user 10001: root file system read-only, no capabilities, no new privileges,
only /data and /tmp to write to; with a PostgreSQL and a Redis of their own. On Debian, as root; needs mmdebstrap,
buildah, crun, postgresql and redis-server. An argument is a base that was kept from before (base.tar).
"""

import json
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cryptography.fernet import Fernet

from tests.harness.postgres import programs, running_postgres
from tests.harness.redis import running_redis
from wallboard.demo.processes import BASE_DIR, Child, free_port, wait_until

USER, TAG, BASE_TAG = 10001, "localhost/wallboard:tried", "localhost/base:tried"
PROCESSES = ("web", "worker", "beat")
# crun wants the unified hierarchy of control groups; where the machine has the older one, a name space of ours has it.
UNIFIED = "umount -l /sys/fs/cgroup; mount -t cgroup2 none /sys/fs/cgroup && exec crun --cgroup-manager=disabled "
STATUS = "grep -E 'CapEff|NoNewPrivs' /proc/self/status"
CLOSED_OFF = f"touch /srv/x /opt/x 2>&1; touch /data/x && cd /tmp && touch x && echo written; id -u; {STATUS}"
CERTIFICATES = Path("/etc/ssl/certs")


def main(arguments: list[str]) -> int:
    """Build it, run it, say what was seen; 1 where something is not as it should be."""
    folder = Path(tempfile.mkdtemp(prefix="wallboard-image-"))
    try:
        with built(folder, Path(arguments[0]) if arguments else None) as root:
            wrong = [name for name, is_so in tried(folder, root) if not told(name, is_so)]
            return int(bool(wrong))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def told(name: str, is_so: bool) -> bool:
    """Print a line about one thing that was tried."""
    print(f"{'ok ' if is_so else 'NOT'} {name}", flush=True)
    return is_so


def run(*command: object, **more: object) -> str:
    """What a command prints; it ends the trial where it fails."""
    return subprocess.run(list(map(str, command)), check=True, stdout=subprocess.PIPE, text=True, **more).stdout.strip()  # type: ignore[call-overload, no-any-return]


@contextmanager
def built(folder: Path, base: Path | None) -> Iterator[Path]:
    """The root file system of the image, made of what is committed here."""
    buildah = ("buildah", "--root", folder / "storage", "--runroot", folder / "run", "--storage-driver", "vfs")
    if base is None:
        base = folder / "base.tar"
        suite = run("sh", "-c", '. /etc/os-release && echo "$VERSION_CODENAME"')
        run("mmdebstrap", "--variant=minbase", "--include=python3,python3-venv,ca-certificates", suite, base)
    run("git", "clone", "--quiet", BASE_DIR, folder / "source")
    (folder / "pip.conf").write_text(f"[global]\ncert = {CERTIFICATES}/ca-certificates.crt\ntimeout = 180\n")
    empty = run(*buildah, "from", "scratch")
    run(*buildah, "add", "--quiet", empty, base, "/")
    run(*buildah, "commit", "--quiet", empty, BASE_TAG)
    reached = ("--volume", f"{CERTIFICATES}:{CERTIFICATES}:ro", "--volume", f"{folder / 'pip.conf'}:/etc/pip.conf:ro")
    file = ("--file", folder / "source" / "deploy" / "Containerfile", "--build-arg", f"BASE={BASE_TAG}")
    how = ("--isolation", "chroot", "--format", "docker", *reached, *file, "--tag", TAG)
    run(*buildah, "build", "--quiet", *how, folder / "source")
    ours = run(*buildah, "from", TAG)
    yield Path(run(*buildah, "mount", ours))


def tried(folder: Path, root: Path) -> Iterator[tuple[str, bool]]:
    """Everything that is looked at, one after the other."""
    postgres = programs()
    assert postgres, "no PostgreSQL is installed"
    (folder / "data").mkdir(mode=0o700)
    shutil.chown(folder / "data", USER, USER)
    with running_postgres(postgres) as database, running_redis(folder) as redis:
        box = Box(folder, root, database, redis.url)
        said = box.once("/bin/sh", "-c", CLOSED_OFF).stdout
        yield "writes to /data and /tmp alone", said.count("Read-only file system") == 2 and "written" in said
        yield "is user 10001 without capabilities", f"\n{USER}\n" in said and "CapEff:\t0000000000000000" in said
        yield "gets no new privileges", "NoNewPrivs:\t1" in said
        yield "setup", box.entry("setup").returncode == 0
        yield from box.served()
        yield "backup", box.entry("backup", "/data/backups").returncode == 0
        found = box.entry("doctor", "--json").stdout
        yield "doctor looks at everything", len(json.loads(found[found.index("[") :])) > 10


class Box:
    """The image's file system, and what runs in it."""

    def __init__(self, folder: Path, root: Path, database: str, redis: str) -> None:
        """Keep where it lies, and what its processes are told."""
        self.folder, self.root, self.port = folder, root, free_port()
        self.state = folder / "crun"
        self.settings = {
            "DATABASE_URL": database,
            "REDIS_URL": redis,
            "PORT": str(self.port),
            "WALLBOARD_ENV_FILE": "",
            "SECRET_KEY": secrets.token_urlsafe(48),
            "TOKEN_KEYS": Fernet.generate_key().decode(),
            "STATIC_ROOT": "/srv/wallboard/staticfiles",
            "SPOOL_DIR": "/data/spool",
            "BACKUP_DIR": "/data/backups",
            "PUBLIC_URL": f"http://127.0.0.1:{self.port}",
            "PYTHONDONTWRITEBYTECODE": "1",
            "LANG": "C.UTF-8",
            "PATH": "/opt/wallboard/bin:/usr/local/bin:/usr/bin:/bin",
        }

    def crun(self, *words: object) -> list[str]:
        """The command that starts crun with these words."""
        line = UNIFIED + " ".join(map(str, ("--root", self.state, *words)))
        return ["unshare", "--mount", "--propagation", "private", "sh", "-c", line]

    def bundle(self, name: str, command: tuple[str, ...]) -> Path:
        """A folder with the description of one container."""
        bundle = self.folder / name
        bundle.mkdir(exist_ok=True)
        none: dict[str, list[str]] = {
            each: [] for each in ("bounding", "effective", "permitted", "inheritable", "ambient")
        }
        temporary = {"type": "tmpfs", "source": "tmpfs"}
        open_to_all = ["nosuid", "mode=1777"]
        options = {"/dev": ["nosuid", "mode=755"], "/dev/shm": open_to_all, "/tmp": open_to_all}
        document = {
            "ociVersion": "1.0.2",
            "process": {
                "user": {"uid": USER, "gid": USER},
                "args": list(command),
                "cwd": "/srv/wallboard",
                "env": [f"{key}={value}" for key, value in self.settings.items()],
                "noNewPrivileges": True,
                "capabilities": none,
            },
            "root": {"path": str(self.root), "readonly": True},
            "hostname": name,
            "mounts": [
                {"destination": "/proc", "type": "proc", "source": "proc"},
                *({"destination": place, "options": how, **temporary} for place, how in options.items()),
                {
                    "destination": "/data",
                    "type": "bind",
                    "source": str(self.folder / "data"),
                    "options": ["bind", "rw"],
                },
            ],
            "linux": {"namespaces": [{"type": each} for each in ("pid", "mount", "ipc", "uts")]},
        }
        (bundle / "config.json").write_text(json.dumps(document))
        return bundle

    def once(self, *command: str) -> subprocess.CompletedProcess[str]:
        """What a container of this command says until it ends."""
        name = f"once-{secrets.token_hex(4)}"
        line = self.crun("run", "--bundle", self.bundle(name, command), name)
        done = subprocess.run(line, capture_output=True, text=True, timeout=300)
        if done.returncode:
            print(done.stderr[-2000:], file=sys.stderr)
        return done

    def entry(self, *words: str) -> subprocess.CompletedProcess[str]:
        """The same of a word for the image's entry point."""
        return self.once("/bin/sh", "/srv/wallboard/deploy/container.sh", *words)

    def served(self) -> Iterator[tuple[str, bool]]:
        """web, worker and beat at the same time: asked as compose and Kubernetes ask them, ended as these end them."""
        children = {name: self.child(name) for name in PROCESSES}
        try:
            for child in children.values():
                child.start()
            for name in PROCESSES:
                yield f"{name} is healthy", wait_until(lambda name=name: self.is_healthy(name), 90, 2)  # type: ignore[misc]
            yield "pages and static files are served", self.status("/accounts/login/") == 200
            for name in PROCESSES:
                subprocess.run(self.crun("kill", name, "TERM"), check=True, timeout=30)
            yield "all end when told to", wait_until(lambda: not any(map(is_running, children.values())), 60)
            yield "and are then not healthy", not self.is_healthy("web")
        finally:
            for child in children.values():
                child.stop()

    def child(self, name: str) -> Child:
        """One of the three, in a container of its name."""
        bundle = self.bundle(name, ("/bin/sh", "/srv/wallboard/deploy/container.sh", name))
        command = self.crun("run", "--bundle", bundle, name)
        return Child(name, command, self.folder / f"{name}.log", stop_signal=signal.SIGTERM)

    def is_healthy(self, name: str) -> bool:
        """What the image's health check says within the container."""
        question = ("exec", "--cwd", "/srv/wallboard", name, "python", "-m", "wallboard.operations.healthcheck", name)
        return subprocess.run(self.crun(*question), capture_output=True, timeout=60).returncode == 0

    def status(self, path: str) -> int:
        """What the web process answers."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=10) as answer:
                return int(answer.status)
        except OSError as error:
            return int(getattr(error, "code", 0))


def is_running(child: Child) -> bool:
    """Whether its process is still there."""
    return child.process is not None and child.process.poll() is None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
