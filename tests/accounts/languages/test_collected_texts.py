"""Every text of the source is in the catalogues: one that was not collected stays English for ever, unseen."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.utils.translation.template import templatize

from tests.harness import catalogues

ROOT = Path(settings.BASE_DIR)
FOLDER = Path(settings.LOCALE_PATHS[0])
FUNCTIONS = {"gettext", "gettext_lazy", "gettext_noop", "ngettext", "ngettext_lazy", "pgettext", "pgettext_lazy"}
IN_TEMPLATE = re.compile(r"\bgettext\(u('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")")


def python_files() -> Iterator[Path]:
    """What is shipped and translated; the simulator speaks the provider's English."""
    for room in ("accounts", "wallboard"):
        for path in (ROOT / room).rglob("*.py"):
            if "simulator" not in path.parts:
                yield path


def texts_of_python(source: str) -> Iterator[str]:
    """The literal texts that are handed to gettext's functions, under whatever name they were imported."""
    tree = ast.parse(source)
    names = {
        each.asname or each.name: each.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "django.utils.translation"
        for each in node.names
        if each.name in FUNCTIONS
    }
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names):
            continue
        place = 1 if names[node.func.id].startswith("pgettext") else 0
        text = node.args[place]
        if isinstance(text, ast.Constant) and isinstance(text.value, str):
            yield text.value


def texts_of_template(source: str) -> Iterator[str]:
    """The texts of `translate` and `blocktranslate` that have neither a plural nor a context."""
    for found in IN_TEMPLATE.finditer(templatize(source)):
        yield ast.literal_eval(found[1])


@pytest.fixture(scope="module")
def collected() -> set[str]:
    """The texts of a catalogue; all have the same ones."""
    _name, path = next(iter(catalogues.languages(FOLDER)))
    return {entry.message for entry in catalogues.read(path)}


def test_every_text_of_the_code_was_collected(collected: set[str]) -> None:
    missing = {
        f"{path.relative_to(ROOT)}: {text}"
        for path in python_files()
        for text in texts_of_python(path.read_text())
        if text not in collected
    }
    assert not missing, "Run `make messages` and translate:\n" + "\n".join(sorted(missing))


def test_every_text_of_the_pages_was_collected(collected: set[str]) -> None:
    missing = {
        f"{path.relative_to(ROOT)}: {text}"
        for path in (ROOT / "templates").rglob("*.*")
        for text in texts_of_template(path.read_text())
        if text not in collected
    }
    assert not missing, "Run `make messages` and translate:\n" + "\n".join(sorted(missing))


def test_a_text_is_found_under_any_name_of_its_function() -> None:
    source = 'from django.utils.translation import gettext as said, pgettext\nsaid("One")\npgettext("verb", "Two")\n'
    assert list(texts_of_python(source)) == ["One", "Two"]
    assert list(texts_of_template('{% load i18n %}{% translate "It\'s" %}')) == ["It's"]
