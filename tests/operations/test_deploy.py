"""What deploy/ holds: systemd accepts the units, finds them closed off, and they run what the Procfile runs."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.harness import systemctl
from wallboard.demo.processes import BASE_DIR, procfile

UNITS = BASE_DIR / "deploy" / "systemd"
SERVICES = sorted(path.name for path in UNITS.glob("*.service"))
NGINX, CADDY = (BASE_DIR / "docs" / "nginx.conf").read_text(), (BASE_DIR / "deploy" / "Caddyfile").read_text()
PORT = 8000  # where the web process always is
MOST_EXPOSED = 20  # tenths of systemd's measure


def analyze(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run systemd-analyze on the units as they lie below that root."""
    command = ["systemd-analyze", f"--root={root}", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file system with the units installed, and what they start."""
    folder = tmp_path_factory.mktemp("root")
    shutil.copytree(UNITS, folder / "etc" / "systemd" / "system")
    for name in ("current", "web-8000"):
        python = folder / "srv" / "wallboard" / name / ".venv" / "bin" / "python"
        python.parent.mkdir(parents=True)
        python.write_text("#!/bin/sh\n")
        python.chmod(0o755)
    return folder


@pytest.mark.parametrize("service", SERVICES)
def test_systemd_accepts_a_unit_and_finds_it_closed_off(root: Path, service: str) -> None:
    service = service.replace("@", f"@{PORT}")
    verified = analyze(root, "verify", "--man=no", str(root / "etc" / "systemd" / "system" / service))
    ours = [line for line in verified.stderr.splitlines() if "wallboard" in line and "not found" not in line]
    assert ours == []

    measured = analyze(root, "security", "--offline=true", f"--threshold={MOST_EXPOSED}", service)
    assert measured.returncode == 0, measured.stdout + measured.stderr
    assert "Overall exposure level" in measured.stdout


@pytest.mark.parametrize("name", ["web@", "worker", "beat"])
def test_units_run_what_the_procfile_runs(name: str) -> None:
    text = (UNITS / f"wallboard-{name}.service").read_text().replace("%i", str(PORT))
    (started,) = re.findall(r"^ExecStart=\S+ (.+)$", text, re.MULTILINE)
    for variable, value in systemctl.environment(text).items():
        started = started.replace(f"${{{variable}}}", value)

    assert started.split() == procfile(PORT)[name.removesuffix("@")][1:]


@pytest.mark.parametrize("service", SERVICES)
def test_a_unit_runs_in_the_folder_of_the_release_that_it_starts(service: str) -> None:
    text = (UNITS / service).read_text()
    (folder,) = re.findall(r"^WorkingDirectory=(.+)$", text, re.MULTILINE)

    assert f"\nExecStart={folder}/.venv/bin/python " in text
    assert folder == f"/srv/wallboard/{'web-%i' if '@' in service else 'current'}"
    assert "WorkingDirectory" not in (UNITS / "wallboard-.service.d" / "common.conf").read_text()  # it would win


def test_proxies_know_the_ports_of_the_installer() -> None:
    ports = re.findall(r"(?m)^serving=(\d+) bridge=(\d+) ", (BASE_DIR / "deploy" / "install.sh").read_text())
    nginx = re.findall(r"(?m)^ *server 127.0.0.1:(\d+) max_fails=0;\n *server 127.0.0.1:(\d+) .*backup;", NGINX)
    caddy = re.findall(r"reverse_proxy 127.0.0.1:(\d+) 127.0.0.1:(\d+) {\n\t\tlb_policy first", CADDY)

    assert ports == nginx == caddy == [(str(PORT), str(PORT + 1))]


def test_shellcheck_finds_nothing() -> None:
    if shutil.which("shellcheck") is None:
        pytest.skip("no shellcheck is installed (Debian: apt-get install shellcheck)")
    scripts = [str(BASE_DIR / "deploy" / name) for name in ("install.sh", "container.sh")]
    found = subprocess.run(["shellcheck", *scripts], capture_output=True, text=True, timeout=60)

    assert found.returncode == 0, found.stdout


@pytest.mark.parametrize("word", ["--rolback", "--help", "wallboard.example.com"])
def test_the_installer_does_nothing_for_a_word_that_it_does_not_know(word: str) -> None:
    script = 'source deploy/install.sh; id() { echo "It goes on" >&2; exit 1; }; main "$1"'
    done = subprocess.run(["bash", "-c", script, "bash", word], capture_output=True, text=True, cwd=BASE_DIR)

    assert (done.returncode, done.stderr.startswith("Say nothing for an upgrade")) == (1, True), done.stderr


def test_the_installer_fills_in_settings_that_exist() -> None:
    script = (BASE_DIR / "deploy" / "install.sh").read_text()
    filled = set(re.findall(r'"s\|\^([A-Z_]+)=', script))
    known = set(re.findall(r"^([A-Z_]+)=", (BASE_DIR / ".env.example").read_text(), re.MULTILINE))

    assert filled <= known
    assert subprocess.run(["bash", "-n", str(BASE_DIR / "deploy" / "install.sh")]).returncode == 0
