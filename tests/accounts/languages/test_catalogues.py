"""Every catalogue is whole: nothing untranslated or in doubt, every hole filled, and compiled as it is written."""

import gettext
import re
from collections import Counter
from pathlib import Path

from django.conf import settings

from accounts.languages.catalogues import OWN_NAMES, offered
from tests.harness import catalogues
from tests.harness.catalogues import Entry

FOLDER = Path(settings.LOCALE_PATHS[0])
FOUND = dict(catalogues.languages(FOLDER))
HOLE = re.compile(r"%\([a-zA-Z_0-9]+\)[a-z]|%[sd]|\{[a-zA-Z_0-9:.]*\}")
TAG = re.compile(r"</?[a-zA-Z][^>]*>")
PO = """msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

#: a.py
msgid ""
"Two "
"lines: \\"%(name)s\\""
msgstr "Zwei Zeilen: „%(name)s“"

#, fuzzy
msgid "In doubt"
msgstr "Zweifel"

msgctxt "verb"
msgid "open"
msgstr "öffnen"

msgid "%(n)s call"
msgid_plural "%(n)s calls"
msgstr[0] "%(n)s Anruf"
msgstr[1] "%(n)s Anrufe"

#~ msgid "gone"
#~ msgstr "weg"
"""


def holes(text: str) -> Counter[str]:
    """What is filled in, and the elements around words."""
    plain = text.replace("%%", "")
    return Counter(HOLE.findall(plain)) + Counter(TAG.findall(plain))


def ends(text: str) -> tuple[bool, bool]:
    """Whether it begins and ends with the end of a line: gettext's own tools insist that both agree."""
    return text.startswith("\n"), text.endswith("\n")


def faults(entries: list[Entry], forms: int) -> list[str]:
    """What is wrong with the messages of a catalogue, each with its text."""
    found = []
    for entry in entries:
        is_counted = entry.plural is not None
        if not entry.is_translated or (is_counted and len(entry.texts) != forms):
            found.append(f"untranslated: {entry.message}")
        if "fuzzy" in entry.flags:
            found.append(f"in doubt: {entry.message}")
        for text in entry.texts.values():
            wanted = [holes(entry.message)] + ([holes(entry.plural or "")] if is_counted else [])
            # A form for one or two may say the number as a word.
            is_less = is_counted and holes(text) <= wanted[1]
            if text and holes(text) not in wanted and not is_less:
                found.append(f"holes differ: {entry.message}")
            if text and ends(text) != ends(entry.message):
                found.append(f"lines differ: {entry.message}")
    return found


def test_a_catalogue_is_read_and_compiled_as_gettext_does(tmp_path: Path) -> None:
    source = tmp_path / "django.po"
    source.write_text(PO, encoding="utf-8")
    entries = catalogues.read(source)
    made = tmp_path / "django.mo"
    made.write_bytes(catalogues.compiled(entries))

    with made.open("rb") as file:
        read = gettext.GNUTranslations(file)

    assert catalogues.plural_count(entries) == 2
    assert read.gettext('Two lines: "%(name)s"') == "Zwei Zeilen: „%(name)s“"
    assert (read.gettext("In doubt"), read.gettext("gone"), read.pgettext("verb", "open")) == (
        "In doubt",
        "gone",
        "öffnen",
    )
    assert [read.ngettext("%(n)s call", "%(n)s calls", n) for n in (1, 2)] == ["%(n)s Anruf", "%(n)s Anrufe"]


def test_the_faults_of_a_catalogue_are_found() -> None:
    entries = [
        Entry(message="a %(x)s", texts={0: "b %(y)s"}),
        Entry(message="<b>a</b>", texts={0: "b"}),
        Entry(message="none", texts={0: ""}),
        Entry(message="maybe", texts={0: "b"}, flags={"fuzzy"}),
        Entry(message="%(n)s a", plural="%(n)s as", texts={0: "one a", 1: "%(n)s as"}),
        Entry(message="%(n)s a", plural="%(n)s as", texts={0: "%(n)s a"}),
        Entry(message="ends\n", texts={0: "ends"}),
    ]

    assert [each.split(":")[0] for each in faults(entries, 2)] == [
        "holes differ",
        "holes differ",
        "untranslated",
        "in doubt",
        "untranslated",
        "lines differ",
    ]


def test_every_catalogue_is_whole() -> None:
    for code, path in FOUND.items():
        header, *entries = catalogues.read(path)

        assert not any(each.is_obsolete for each in entries), code
        assert faults(entries, catalogues.plural_count([header])) == [], code
        assert f"Language: {code}\n" in header.texts[0]


def test_every_catalogue_is_compiled_as_it_is_written() -> None:
    for path in FOUND.values():
        assert path.with_suffix(".mo").read_bytes() == catalogues.compiled(catalogues.read(path)), "run make messages"


def test_a_glossary_stands_beside_each_catalogue() -> None:
    for code in FOUND:
        assert (FOLDER / code / "glossary.md").read_text(encoding="utf-8").strip()


def test_all_catalogues_have_the_same_messages() -> None:
    keys = {code: {each.key for each in catalogues.read(path)} for code, path in FOUND.items()}

    assert len({frozenset(each) for each in keys.values()}) <= 1


def test_what_has_a_compiled_catalogue_is_offered_by_its_own_name(tmp_path: Path) -> None:
    for code in ("ar", "de", "xx"):
        (tmp_path / code / "LC_MESSAGES").mkdir(parents=True)
        (tmp_path / code / "LC_MESSAGES" / "django.mo").touch()
    (tmp_path / "fr" / "LC_MESSAGES").mkdir(parents=True)

    assert offered(tmp_path) == [("en", "English"), ("de", "Deutsch"), ("xx", "xx"), ("ar", "العربية")]
    assert offered(FOLDER) == settings.LANGUAGES
    assert set(FOUND) <= set(OWN_NAMES)
