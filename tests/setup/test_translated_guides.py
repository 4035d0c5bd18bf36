"""The guides of people who use the site, in every language: chapters, pictures, links and labels as in English."""

import re
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from django.conf import settings

from tests.boards.conftest import SignIn
from tests.harness import catalogues
from wallboard.setup import guides

FOLDER = Path(settings.LOCALE_PATHS[0])
LANGUAGES = [name for name, _path in catalogues.languages(FOLDER)]
TRANSLATED = (guides.INDEX, "administrator", "agent", "supervisor")
CASES = list(product(LANGUAGES, TRANSLATED))
TARGET = re.compile(r"\]\((?:\.\./)?([^)\s]+)\)")
LABEL = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)


def source(name: str, language: str = "") -> str:
    return (guides.DOCS / language / f"{name}.md").read_text(encoding="utf-8")


@cache
def translations(language: str) -> dict[str, str]:
    """What each text without a plural is called in that language."""
    path = dict(catalogues.languages(FOLDER))[language]
    return {entry.message: entry.texts.get(0, "") for entry in catalogues.read(path) if entry.plural is None}


def labels(text: str) -> list[str]:
    """What stands in bold type, each in one line."""
    return [" ".join(label.split()) for label in LABEL.findall(text)]


@pytest.mark.parametrize(("language", "name"), CASES)
def test_a_translation_has_the_chapters_pictures_and_links_of_the_english_guide(language: str, name: str) -> None:
    english, translated = guides.guide(name), guides.guide(name, language)

    assert translated.language == language
    assert [anchor for anchor, _ in translated.chapters] == [anchor for anchor, _ in english.chapters]
    assert TARGET.findall(source(name, language)) == TARGET.findall(source(name))
    assert re.findall(r"<(li|tr|pre|img)\b", translated.html) == re.findall(r"<(li|tr|pre|img)\b", english.html)


@pytest.mark.parametrize(("language", "name"), CASES)
def test_what_stands_in_bold_type_stands_on_the_pages(language: str, name: str) -> None:
    known = translations(language)
    wanted = {known[label] for label in labels(source(name)) if known.get(label)}

    assert wanted - set(labels(source(name, language))) == set()


@pytest.mark.parametrize(("language", "name"), CASES)
def test_links_and_pictures_of_a_translation_lead_somewhere_in_the_repository_too(language: str, name: str) -> None:
    folder = guides.DOCS / language
    targets = re.findall(r"\]\(([^)#\s]+)[^)]*\)", source(name, language))

    assert [each for each in targets if "://" not in each and not (folder / each).exists()] == []


def test_help_is_in_the_readers_language_where_it_is_translated(sign_in: SignIn) -> None:
    client = sign_in("agent")
    ours = client.get("/help/agent/", headers={"accept-language": "ar"}).content.decode()
    theirs = client.get("/help/operating/", headers={"accept-language": "ar"}).content.decode()

    assert '<article class="panel guide-text" lang="ar" dir="rtl">' in ours
    assert "This guide is in English" not in ours
    assert '<article class="panel guide-text" lang="en" dir="ltr">' in theirs
    assert translations("ar")["This guide is in English."] in theirs
