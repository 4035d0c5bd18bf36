"""What deploy/ holds: systemd accepts the units, finds them closed off, and they run what the Procfile runs."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from wallboard.demo.processes import BASE_DIR, procfile

UNITS = BASE_DIR / "deploy" / "systemd"
SERVICES = sorted(path.name for path in UNITS.glob("*.service"))
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
    python = folder / "srv" / "wallboard" / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text("#!/bin/sh\n")
    python.chmod(0o755)
    return folder


@pytest.mark.parametrize("service", SERVICES)
def test_systemd_accepts_a_unit_and_finds_it_closed_off(root: Path, service: str) -> None:
    verified = analyze(root, "verify", "--man=no", str(root / "etc" / "systemd" / "system" / service))
    ours = [line for line in verified.stderr.splitlines() if "wallboard" in line and "not found" not in line]
    assert ours == []

    measured = analyze(root, "security", "--offline=true", f"--threshold={MOST_EXPOSED}", service)
    assert measured.returncode == 0, measured.stdout + measured.stderr
    assert "Overall exposure level" in measured.stdout


@pytest.mark.parametrize("name", ["web", "worker", "beat"])
def test_units_run_what_the_procfile_runs(name: str) -> None:
    text = (UNITS / f"wallboard-{name}.service").read_text()
    (started,) = re.findall(r"^ExecStart=\S+ (.+)$", text, re.MULTILINE)

    assert started.split() == procfile(8000)[name][1:]


def test_the_installer_fills_in_settings_that_exist() -> None:
    script = (BASE_DIR / "deploy" / "install.sh").read_text()
    filled = set(re.findall(r'"s\|\^([A-Z_]+)=', script))
    known = set(re.findall(r"^([A-Z_]+)=", (BASE_DIR / ".env.example").read_text(), re.MULTILINE))

    assert filled <= known
    assert subprocess.run(["bash", "-n", str(BASE_DIR / "deploy" / "install.sh")]).returncode == 0
