"""Every module has its tests at its own path, or is named as covered by others (covered.py)."""

from tests.covered import COVERED
from tests.test_house import modules
from wallboard.demo.processes import BASE_DIR

DECLARE_ONLY = {"__init__", "models", "admin", "apps", "urls", "tasks", "texts"}


def source_path(module: str) -> str:
    """A module's path as its tests mirror it: calls/legs of wallboard.calls.legs."""
    return module.removeprefix("wallboard.").replace(".", "/")


def covered(folder: str) -> set[str]:
    """The modules of a folder that covered.py names."""
    return set(COVERED[folder][0].split()) if folder in COVERED else set()


def modules_without_tests_at_their_path() -> set[tuple[str, str]]:
    """Folder and name of each module with logic that has no test file at its own path."""
    found = set()
    for module in modules():
        folder, _, name = source_path(module).rpartition("/")
        is_package = (BASE_DIR / module.replace(".", "/")).is_dir()
        is_mirrored = any((BASE_DIR / "tests" / folder).glob(f"test_{name}*.py"))
        if not is_package and name not in DECLARE_ONLY and not is_mirrored:
            found.add((folder, name))
    return found


def test_every_module_with_logic_has_its_tests_at_its_path_or_is_named() -> None:
    named = {(folder, name) for folder in COVERED for name in covered(folder)}

    assert modules_without_tests_at_their_path() == named


def test_what_is_named_as_covering_exists() -> None:
    tests = {path for _, covering in COVERED.values() for path in covering.split()}

    assert [path for path in sorted(tests) if not (BASE_DIR / "tests" / path).is_file()] == []
