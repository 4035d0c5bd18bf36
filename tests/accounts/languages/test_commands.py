"""Commands speak the language of whoever runs them, and English to programs."""

import re
from collections.abc import Iterator
from io import StringIO
from typing import Any

import msgspec
import pytest
from django.core.management import CommandError, call_command, get_commands, load_command_class
from django.utils.translation import get_language

from accounts.languages import choosing, commands
from accounts.models import Domain
from tests.boards.conftest import board, domain  # noqa: F401
from tests.harness import pseudo
from wallboard.boards.models import Board
from wallboard.operations import problems
from wallboard.operations.doctor import database, machine, services
from wallboard.setup import first_key

OF_DEVELOPERS = {"matrix", "simulate", "demo_company"}
OF_DJANGO = {
    "help",
    "version",
    "verbosity",
    "settings",
    "pythonpath",
    "traceback",
    "no_color",
    "force_color",
    "skip_checks",
}
OURS = {name: app for name, app in get_commands().items() if app.startswith(("wallboard", "accounts"))}
WORD = re.compile(r"[^\W\d_]{3,}")


@pytest.fixture
def in_brackets(settings: Any) -> Iterator[None]:
    with pseudo.speaking_pseudo():
        settings.COMMAND_LANGUAGE = pseudo.CODE
        yield


def said(*words: str) -> str:
    """What a command prints, or refuses with."""
    out = StringIO()
    try:
        call_command(*words, stdout=out, stderr=out)
    except CommandError as error:
        out.write(str(error))
    return out.getvalue()


def outside(text: str) -> str:
    """What stands in no brackets."""
    while (inner := re.sub(r"⟦[^⟦⟧]*⟧", " ", text)) != text:
        text = inner
    return text


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, ""),
        ({"LANG": "C.UTF-8"}, ""),
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "ar_EG"}, "ar"),
        ({"LANG": "fr_FR@euro", "LC_ALL": ""}, "fr"),
        ({"LANG": "it_IT.UTF-8"}, "en"),
    ],
)
def test_the_shell_says_which_language(
    environment: dict[str, str], expected: str, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.COMMAND_LANGUAGE = ""
    for name in commands.SHELL:
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    assert commands.of_shell() == expected
    settings.COMMAND_LANGUAGE = "nl"
    assert commands.of_shell() == "nl"


class Spoken(commands.TranslatedCommand):
    """Says in which language it runs."""

    def handle(self, *args: Any, **options: Any) -> str:
        return get_language() or ""


@pytest.mark.django_db
def test_without_a_choice_it_is_the_companys_and_english_for_programs(
    domain: Domain,  # noqa: F811
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings.COMMAND_LANGUAGE = ""
    for name in commands.SHELL:
        monkeypatch.setenv(name, "C.UTF-8")
    Domain.objects.update(language="ar")

    assert choosing.of_only_company() == "ar"
    assert (Spoken().execute(**QUIET), Spoken().execute(**QUIET, json=True)) == ("ar", "en")


QUIET: dict[str, Any] = {"force_color": False, "no_color": True, "skip_checks": True, "stdout": StringIO()}


@pytest.mark.parametrize("name", sorted(OURS.keys() - OF_DEVELOPERS))
def test_what_a_command_says_of_itself_is_translated(name: str, in_brackets: None) -> None:
    parser = load_command_class(OURS[name], name).create_parser("manage.py", name)
    texts = [parser.description, *(each.help for each in parser._actions if each.dest not in OF_DJANGO and each.help)]

    assert [text for text in texts if not str(text).startswith("⟦")] == []


@pytest.mark.django_db
def test_what_commands_print_is_translated(
    board: Board,  # noqa: F811
    in_brackets: None,
    tmp_path: Any,
) -> None:
    slug = board.domain.slug
    printed = [
        said("company", "add", "Acme Ltd"),
        said("company", "pause", "acme-ltd"),
        said("company", "resume", "acme-ltd"),
        said("company", "edit", "acme-ltd", "--name", "Acme"),
        said("company", "invite", "nobody"),
        said("person", "801", "--role", "agent", "--domain", slug),
        said("person", "801", "--domain", "nobody"),
        said("screen", "nothing"),
        said("unlock"),
        said("rotate_keys"),
        said("backup", str(tmp_path), "--keep", "0"),
        said("restore", str(tmp_path)),
        said("open_keys", str(tmp_path / "keys"), "--passphrase-file", str(tmp_path / "none")),
    ]

    assert [text for text in printed if WORD.search(outside(text)) or "⟦" not in text] == []
    assert "http" in printed[0]
    assert first_key.is_needed(Domain.objects.get(slug="acme-ltd"))


@pytest.mark.django_db
def test_what_the_doctor_finds_is_translated(in_brackets: None, settings: Any) -> None:
    settings.BACKUP_DIR = settings.SPOOL_DIR = ""
    parts = (database.migrations, database.locks, database.last_backup, machine.disks, machine.keys, machine.spool)
    found = [finding for part in (*parts, machine.static_files, services.mail) for finding in part()]

    texts = [text for each in found for text in (each.title, each.text, each.advice) if text]
    assert [text for text in texts if WORD.search(outside(text))] == []
    assert len(found) >= len(parts)


def test_problems_of_the_installation_say_what_is_wrong_and_what_to_do_apart() -> None:
    problem = problems.Problem("redis", "Redis does not answer.", "Start it.")

    assert str(problem) == "Redis does not answer. Start it."
    assert msgspec.to_builtins(problem)["advice"] == "Start it."


@pytest.mark.django_db
@pytest.mark.parametrize("odd", ["a\0b", "a\udcffb"])
@pytest.mark.parametrize(
    "words",
    [
        ("person", "{}"),
        ("person", "101", "--name", "{}"),
        ("company", "add", "{}"),
        ("company", "pause", "{}"),
        ("unlock", "{}"),
    ],
)
def test_what_cannot_be_stored_is_refused_in_words(words: tuple[str, ...], odd: str) -> None:
    Domain.objects.create(slug="main", name="Main")

    told = said(*(word.format(odd) for word in words))

    assert told.strip() == f"{odd!a} holds characters that cannot be stored. Type it anew."
