"""The ways in and out of the document: the page, the API and the command."""

from io import StringIO
from pathlib import Path

import msgspec
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import translation

from accounts.models import Domain, User
from tests.api.conftest import MakeProgram, problem
from tests.api.conftest import floor as floor
from tests.api.conftest import make_program as make_program
from tests.boards.conftest import SignIn
from tests.boards.conftest import domain as domain
from tests.boards.conftest import plain_static_files as plain_static_files
from tests.boards.conftest import sign_in as sign_in
from wallboard.boards import editing
from wallboard.boards.models import Board
from wallboard.configuration import document, exporting
from wallboard.queues.models import Queue

PAGE = "/setup/configuration/"


def spoken(*arguments: str) -> str:
    out = StringIO()
    call_command("company", *arguments, stdout=out)
    return out.getvalue()


def test_the_page_shows_what_a_file_changes_before_it_does(floor: Domain, sign_in: SignIn) -> None:
    client = sign_in("administrator")
    text = client.get(f"{PAGE}file/").content.replace(b'"Orders"', b'"Sales"')

    shown = client.post(PAGE, {"do": "look", "file": SimpleUploadedFile("a.json", text)})
    assert "$.queues[800].name" in shown.content.decode()
    assert Queue.objects.get(number="800").name == "Orders"
    client.post(PAGE, {"do": "import", "text": shown.context["text"]})
    assert Queue.objects.get(number="800").name == "Sales"

    refused = client.post(PAGE, {"do": "import", "text": '{"version": 2}'})
    assert refused.status_code == 400
    assert "$.version" in refused.content.decode()


@pytest.mark.parametrize(("encoding", "name"), [("utf-8-sig", "München"), ("cp1252", "Orders")])
def test_letters_of_another_encoding_are_refused_and_not_stored_as_others(
    floor: Domain, sign_in: SignIn, encoding: str, name: str
) -> None:
    client = sign_in("administrator")
    text = client.get(f"{PAGE}file/").content.decode().replace('"Orders"', '"München"').encode(encoding)

    shown = client.post(PAGE, {"do": "look", "file": SimpleUploadedFile("a.json", text)})
    client.post(PAGE, {"do": "import", "text": shown.context["text"]})

    assert ("not in UTF-8" in shown.content.decode()) is (encoding == "cp1252")
    assert Queue.objects.get(number="800").name == name


def test_the_api_reads_and_sets_it(floor: Domain, make_program: MakeProgram) -> None:
    program = make_program("configuration")
    told = msgspec.json.decode(program.ask("configuration").content)
    told["queues"][0]["name"] = "Sales"

    dry = program.ask("configuration?dry_run=yes", "PUT", json=told)
    assert [each["path"] for each in msgspec.json.decode(dry.content)["items"]] == ["$.queues[800].name"]
    assert Queue.objects.get(number="800").name == "Orders"
    assert program.ask("configuration", "PUT", json=told).content == dry.content
    assert Queue.objects.get(number="800").name == "Sales"

    told["queues"][0]["targets"] = {"waiting_watch": 5, "waiting_late": 1}
    status, says = problem(program.ask("configuration", "PUT", json=told))
    assert (status, "$.queues[0].targets" in says) == (422, True)
    assert problem(make_program("queues").ask("configuration"))[0] == 403
    assert problem(make_program("configuration", queues=("800",)).ask("configuration"))[0] == 403


def test_every_way_says_what_is_left_out(
    floor: Domain, sign_in: SignIn, make_program: MakeProgram, tmp_path: Path
) -> None:
    board = Board.objects.filter(domain=floor).first() or editing.create(floor, editing.BoardInput("Wall"), "wall")
    told = {"version": 1, "screens": [{"name": "North wall", "board": board.slug}]}
    text = msgspec.json.encode(told)
    (tmp_path / "a.json").write_bytes(text)
    client = sign_in("administrator")

    looked = client.post(PAGE, {"do": "look", "text": text.decode()})
    taken = client.post(PAGE, {"do": "import", "text": text.decode()}, follow=True)
    asked = make_program("configuration").ask("configuration", "PUT", json=told)

    assert "$.screens[0]" in looked.content.decode()
    assert "$.screens[0]" in taken.content.decode()
    assert "$.screens[0]" in spoken("import", floor.slug, str(tmp_path / "a.json"))
    assert msgspec.json.decode(asked.content) == {"items": [], "left_out": ["$.screens[0]"]}


def test_what_a_program_says_of_a_file_is_marked_as_english(floor: Domain, sign_in: SignIn) -> None:
    client = sign_in("administrator")
    User.objects.update(language="ar")

    with translation.override("ar"):  # nothing of it stays for the tests that follow
        refused = client.post(PAGE, {"do": "import", "text": '{"version": 2}'}).content.decode()

    assert '<p class="soft break" lang="en" dir="ltr">Invalid enum value 2</p>' in refused
    assert '<bdi class="break" dir="ltr">$.version</bdi>' in refused


def test_the_command_exports_imports_and_compares(floor: Domain, tmp_path: Path) -> None:
    Domain.objects.create(slug="new", name="New", base_url="http://b.test", client_id="i", client_secret="s")
    path = str(tmp_path / "main.json")
    assert spoken("export", "main").encode() == document.written(exporting.export(floor))
    spoken("export", "main", path)

    assert "$.queues[800]: – →" in spoken("import", "new", path, "--dry-run")
    assert "$.queues[800]" in spoken("compare", "main", "new")
    assert "new is set." in spoken("import", "new", path)
    assert spoken("compare", "main", "new") == "main and new are set the same.\n"
    Path(path).write_text('{"version": 1, "colour": "red"}')
    with pytest.raises(CommandError, match="colour"):
        spoken("import", "new", path)
    Path(path).write_text('{"version": 2}')
    with pytest.raises(CommandError, match=r"^Invalid enum value 2 - at `\$\.version`\. Nothing has changed\.$"):
        spoken("import", "new", path)
    with pytest.raises(CommandError, match="cannot be read"):
        spoken("import", "new", path + "x")
