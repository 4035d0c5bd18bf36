"""What holds over the whole house: who may import whom, sizes, names that people rely on, and lists that must agree."""

import ast
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from django.core.management import get_commands
from django.urls import resolve

from wallboard.demo.processes import BASE_DIR, procfile

ROOMS = ["telephony", "live", "accounts", "figures", "queues", "calls", "contacts", "desk", "alerts", "notifications"]
ROOMS += ["calibration", "reports", "outgoing", "forecast", "boards"]
ROOMS += ["screens", "carddav", "setup", "configuration", "sockets", "replay", "privacy", "api"]
APART = ("simulator", "demo")  # they import no room and no room imports them
EDGES = {"views", "tasks", "consumers", "admin", "forms", "urls", "management"}
FIXED_PATHS = """/ /boards/main/ /boards/main/edit/ /alerts/ /screens/ /screen/token/ /pair/ /desk/ /calls/ /reports/
    /setup/ /admin/ /accounts/login/ /accounts/callback/ /accounts/logout/ /hooks/secret/ /healthz /readyz /metrics"""
UNNAMED = {"__init__", "apps", "urls"}  # each room has the same
MOST_LINES, MOST_FUNCTION_LINES, MOST_MODULES = 300, 50, 20


def tracked(*suffixes: str) -> list[Path]:
    """Every file of the project with one of these endings, new ones included; what git ignores is not."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=BASE_DIR,
        capture_output=True,
        text=True,
        check=True,
    )
    paths = [BASE_DIR / name for name in listed.stdout.split("\0") if name]
    return [path for path in paths if path.is_file() and (not suffixes or path.suffix in suffixes)]


@cache
def modules() -> dict[str, ast.Module]:
    """Our own modules by dotted name, without tests and migrations."""
    found = {}
    for path in tracked(".py"):
        parts = path.relative_to(BASE_DIR).with_suffix("").parts
        if parts[0] in ("accounts", "wallboard") and "migrations" not in parts:
            found[".".join(parts).removesuffix(".__init__")] = ast.parse(path.read_text())
    return found


def imports(tree: ast.Module) -> Iterator[str]:
    """Every module that is imported anywhere in the tree, `from x import y` as x.y."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are written in full"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def room_of(module: str) -> str:
    """The room a module lies in; "wiring" for the files beside the rooms, "" for what is not ours."""
    parts = module.split(".")
    if parts[0] == "accounts":
        return "accounts"
    if parts[0] != "wallboard":
        return ""
    return parts[1] if len(parts) > 1 and parts[1] in (*ROOMS, *APART) else "wiring"


def within(module: str) -> str:
    """The part of a module's name inside its room: `views.pages` of wallboard.boards.views.pages."""
    parts = module.split(".")
    return ".".join(parts[1:] if parts[0] == "accounts" else parts[2:])


def test_rooms_import_only_rooms_written_before_them() -> None:
    wrong = []
    for module, tree in modules().items():
        room = room_of(module)
        for target in imports(tree):
            theirs = room_of(target)
            if room in ("wiring", "") or theirs in ("", room):
                continue
            if room in APART or theirs in APART or theirs == "wiring" or ROOMS.index(theirs) > ROOMS.index(room):
                wrong.append(f"{module} imports {target}")

    assert wrong == []


def is_edge(name: str) -> bool:
    """Whether a file or folder of a room is one of its edges: `views`, `tasks` and so on."""
    return name in EDGES


def knows_models(target: str) -> bool:
    """Whether what is imported lies in a file that imports its room's models in turn."""
    module = target if target in modules() else target.rpartition(".")[0]
    return any(within(each).split(".")[0] == "models" for each in imports(modules()[module]) if room_of(each))


def test_domain_files_do_not_import_edges_and_models_only_what_knows_no_models() -> None:
    wrong = []
    for module, tree in modules().items():
        own = within(module).split(".")[0]
        if room_of(module) in ("wiring", *APART) or is_edge(own) or own == "":
            continue
        for target in imports(tree):
            theirs = within(target).split(".")[0]
            if room_of(target) != room_of(module):
                continue
            if is_edge(theirs) or (own == "models" and knows_models(target)):
                wrong.append(f"{module} imports {target}")

    assert wrong == []


def test_telephony_knows_neither_django_nor_redis() -> None:
    banned = ("django", "redis", "celery", "channels")
    wrong = [
        f"{module} imports {target}"
        for module, tree in modules().items()
        for target in imports(tree)
        if room_of(module) == "telephony" and target.split(".")[0] in banned
    ]

    assert wrong == []


def test_live_has_no_models() -> None:
    wrong = [
        f"{module} imports {target}"
        for module, tree in modules().items()
        for target in imports(tree)
        if room_of(module) == "live" and target.startswith("django.db")
    ]

    assert wrong == []


@pytest.mark.parametrize("suffix", [".py", ".js", ".css", ".html", ".lua"])
def test_files_are_short(suffix: str) -> None:
    long = [
        f"{path.relative_to(BASE_DIR)}: {lines}"
        for path in tracked(suffix)
        if "migrations" not in path.parts and (lines := len(path.read_text().splitlines())) > MOST_LINES
    ]

    assert long == []


def test_functions_fit_in_one_look() -> None:
    long = [
        f"{path.relative_to(BASE_DIR)}:{node.lineno} {node.name}: {node.end_lineno - node.lineno + 1}"
        for path in tracked(".py")
        if "migrations" not in path.parts
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno + 1 > MOST_FUNCTION_LINES
    ]

    assert long == []


def settings_names() -> set[str]:
    """Every name that settings.py and environment.py read from the environment."""
    texts = [(BASE_DIR / "wallboard" / name).read_text() for name in ("settings.py", "environment.py")]
    return {name for text in texts for name in re.findall(r'\w+\(\s*"([A-Z_]+)"', text)}


def test_every_setting_is_explained_and_every_explained_setting_is_read() -> None:
    explained = set(re.findall(r"^#?\s?([A-Z_]+)=", (BASE_DIR / ".env.example").read_text(), re.MULTILINE))

    assert explained == settings_names()


def test_the_environment_has_the_names_that_scripts_rely_on() -> None:
    fixed = """SECRET_KEY TOKEN_KEYS DEBUG ALLOWED_HOSTS DATABASE_URL REDIS_URL PUBLIC_URL SPOOL_DIR POLL_SECONDS
    CHECK_SECONDS PROVIDER_BASE_URL PROVIDER_CLIENT_ID PROVIDER_CLIENT_SECRET PROVIDER_LOGIN_CLIENT_ID
    PROVIDER_LOGIN_CLIENT_SECRET PROVIDER_TIME_ZONE"""

    assert set(fixed.split()) <= settings_names()


def test_the_procfile_prepares_serves_works_and_ticks_once() -> None:
    commands = procfile(8123)

    assert list(commands) == ["release", "web", "worker", "beat"]
    assert commands["release"][1:] == ["manage.py", "setup"]
    assert commands["web"][1:5] == ["-m", "daphne", "-b", "127.0.0.1"]
    assert commands["web"][5:7] == ["-p", "8123"]
    assert commands["worker"][1:6] == ["-m", "celery", "-A", "wallboard", "worker"]
    assert commands["beat"][1:6] == ["-m", "celery", "-A", "wallboard", "beat"]


@pytest.mark.parametrize("path", FIXED_PATHS.split())
def test_pages_have_the_addresses_that_people_rely_on(path: str) -> None:
    assert resolve(path)


@pytest.mark.parametrize("command", ["setup", "demo", "simulate", "screen", "person", "newkey"])
def test_commands_have_the_names_that_people_rely_on(command: str) -> None:
    assert command in get_commands()


def test_no_machine_is_named() -> None:
    machine = re.compile(r"(?<![\w.])/(?:root|work|home/\w+|Users/\w+)/|file:///(?:opt|mnt)|/tmp/\w")
    named = [
        f"{path.relative_to(BASE_DIR)}:{number}"
        for path in tracked()
        if path.suffix not in (".png", ".woff2", ".ico", ".mp3", ".ogg", ".gz", ".mo") and path.name != "test_house.py"
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if machine.search(line)
    ]

    assert named == []


def test_the_top_level_is_as_it_was_agreed() -> None:
    agreed = {"manage.py", "wallboard", "accounts", "templates", "static", "requirements.txt", "tests", "Procfile"}
    agreed |= {
        "README.md",
        "Makefile",
        "pyproject.toml",
        ".env.example",
        "docs",
        "bench",
        "deploy",
        ".ci",
        ".gitignore",
    }
    agreed |= {"requirements.in", "requirements-dev.in", "requirements-dev.txt"}
    agreed |= {"biome.json", "package.json", "package-lock.json", "tsconfig.json", "tsconfig.strict.json"}

    assert {path.relative_to(BASE_DIR).parts[0] for path in tracked()} <= agreed


def room_folder(room: str) -> Path:
    """Where the room's files lie."""
    return BASE_DIR / "accounts" if room == "accounts" else BASE_DIR / "wallboard" / room


def room_files(room: str) -> set[str]:
    """The files of a room as docs/architecture.md names them: `webhooks/receive`."""
    files = {
        path.relative_to(room_folder(room)).with_suffix("")
        for path in tracked(".py")
        if room_folder(room) in path.parents
    }
    return {str(path) for path in files if "migrations" not in path.parts and path.name not in UNNAMED}


def test_every_file_of_a_room_stands_in_the_architecture_with_what_it_is_for() -> None:
    text = (BASE_DIR / "docs" / "architecture.md").read_text()
    listed = {
        section.split("\n", 1)[0]: set(re.findall(r"^\| `([\w/]+)` \| \S.* \|$", section, re.MULTILINE))
        for section in re.split(r"^##+ ", text, flags=re.MULTILINE)[1:]
    }

    assert {
        room: room_files(room) ^ listed.get(room, set()) for room in ROOMS if room_files(room) != listed.get(room)
    } == {}


@pytest.mark.parametrize("room", [*ROOMS, *APART])
def test_a_room_has_at_most_twenty_modules_at_one_level(room: str) -> None:
    by_folder = Counter(path.parent for path in tracked(".py") if room_folder(room) in path.parents)
    crowded = {
        str(folder.relative_to(BASE_DIR)): count
        for folder, count in by_folder.items()
        if folder.name != "migrations" and count - 1 > MOST_MODULES  # without __init__.py
    }

    assert crowded == {}


def test_edges_are_files_or_packages_of_their_plain_names() -> None:
    odd = [module for module in modules() if re.search(r"_(views|tasks|forms|admin|models|urls|consumers)$", module)]

    assert odd == ["accounts.audited_admin", "wallboard.moved_models"]


def test_modules_do_not_import_each_other_in_circles() -> None:
    graph = {module: top_level_imports(tree) - {module} for module, tree in modules().items()}
    while leaves := {module for module, targets in graph.items() if not targets & graph.keys()}:
        graph = {module: targets for module, targets in graph.items() if module not in leaves}

    assert sorted(graph) == []


def top_level_imports(tree: ast.Module) -> set[str]:
    """Our modules that are imported when this one is: not those that a function imports when it runs."""
    found = set()
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            for target in imports(ast.Module([node], [])):
                found.add(target if target in modules() else target.rpartition(".")[0])
    return found & modules().keys()
