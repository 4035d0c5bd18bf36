"""docs/contributing.md names what exists: paths, modules, classes and functions."""

import ast
import re
from pathlib import Path

from tests.test_house import APART, ROOMS
from wallboard.demo.processes import BASE_DIR

GUIDE = BASE_DIR / "docs" / "contributing.md"
PATH = re.compile(r"(?:[\w.-]+/)*[\w.-]+\.(?:py|md|js|css|html|lua|txt|example)|(?:[\w.-]+/)+")
NAME = re.compile(rf"(?:{'|'.join([*ROOMS, *APART])})(?:\.\w+)+")


def in_code_type() -> list[str]:
    """What stands in code type in the guide."""
    return re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", GUIDE.read_text(), flags=re.DOTALL))


def definitions(path: Path) -> set[str]:
    """What a module defines at its top level."""
    found = set()
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found


def exists(name: str) -> bool:
    """Whether `room.module` or `room.module.definition` is there."""
    parts = name.split(".")
    path = BASE_DIR.joinpath(*([] if parts[0] == "accounts" else ["wallboard"]), *parts)
    if path.is_dir() or path.with_suffix(".py").is_file():
        return True
    module = path.parent.with_suffix(".py")
    return module.is_file() and path.name in definitions(module)


def test_every_path_of_the_guide_exists() -> None:
    paths = [each for each in in_code_type() if PATH.fullmatch(each)]

    assert [each for each in paths if not (BASE_DIR / each).exists()] == []
    assert len(paths) > 30


def test_every_name_of_the_guide_exists() -> None:
    names = [each for each in in_code_type() if NAME.fullmatch(each)]

    assert [each for each in names if not exists(each)] == []
    assert len(names) > 30


def test_the_read_me_names_every_room() -> None:
    rooms = re.findall(r"`([a-z ]+)`", (BASE_DIR / "README.md").read_text())

    assert set(ROOMS) - {"accounts"} | set(APART) <= {room for each in rooms for room in each.split()}


def test_the_guide_has_the_order_of_the_rooms() -> None:
    assert " → ".join(ROOMS) in GUIDE.read_text()
