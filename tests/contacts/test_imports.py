"""Contacts from files that other programs wrote: all of a file or nothing."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from tests.contacts.test_contact_pages import boss  # noqa: F401  (a fixture)
from tests.desk.conftest import HANNA, Company
from wallboard.contacts import address_book, import_files, imports, tasks
from wallboard.contacts.address_book import ContactInput, InvalidInput
from wallboard.contacts.models import Contact, Import

MESSY = (
    "\ufeffVorname;Nachname;Firma;Telefon geschäftlich;Mobile;E-mail;Telefon Typ\r\n"
    "Hanna;Brandt;Brandt GmbH;030 / 90 18 20;'+49 171 1234567;h@brandt.test;Büro\r\n"
    "\r\n"
    '"Özgür ""Öz""";Çelik;;+90 (212) 555 0000;;;\r\n'
    ";;Nur Firma;sip:lab@partner.example;;;\r\n"
)


def begun(company: Company, text: str | bytes) -> Import:
    content = text if isinstance(text, bytes) else text.encode()
    return imports.create(company.domain, company.ana, "contacts.csv", content)


def run(running: Import, *, skips_bad: bool = False) -> Import:
    assert imports.queue(running, skips_bad=skips_bad)
    imports.run(running.pk)
    running.refresh_from_db()
    return running


def kept() -> dict[str, list[str]]:
    return {contact.name: sorted(contact.numbers.values_list("number", flat=True)) for contact in Contact.objects.all()}


def test_a_messy_file_comes_in_without_help(company: Company) -> None:
    running = begun(company, MESSY)
    assert running.columns == ["first", "last", "company", "number", "number", "email", ""]

    done = run(running)

    assert (done.state, done.added, done.changed, done.bad, done.text) == ("done", 3, 0, 0, "")
    assert kept() == {
        "Hanna Brandt": ["+491711234567", HANNA],
        'Özgür "Öz" Çelik': ["+902125550000"],
        "Nur Firma": ["lab@partner.example"],
    }


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_encodings_are_told_apart(company: Company, encoding: str) -> None:
    run(begun(company, "name,phone\nJürgen Groß,030 901820\n".encode(encoding)))

    assert kept() == {"Jürgen Groß": [HANNA]}


def test_one_bad_line_keeps_everything_out_until_somebody_says_so(company: Company) -> None:
    text = "name,phone\nGood,030 901820\nBad,hello\n,\nNobody,\n"

    faulty = run(begun(company, text))

    assert (faulty.state, faulty.bad, kept()) == ("faulty", 2, {})
    assert [line for line, _text in faulty.errors] == [3, 5]
    assert "hello" in faulty.errors[0][1]
    assert (run(faulty, skips_bad=True).state, kept()) == ("done", {"Good": [HANNA]})


def test_a_line_with_one_bad_number_is_bad_as_a_whole(company: Company) -> None:
    assert run(begun(company, "name,phone,mobile\nHalf,030 901820,hello\n")).state == "faulty"
    assert kept() == {}


def test_the_same_file_twice_completes_and_does_not_double(company: Company) -> None:
    address_book.save(company.domain, ContactInput("Hanna", numbers=(HANNA,)))
    text = "name,company,phone,mobile\nHANNA,Brandt GmbH,030 901820,0171 1234567\nHanna,,0171 1234567,555\n"

    first, second = run(begun(company, text)), run(begun(company, text))

    assert (first.added, first.changed, second.added) == (0, 1, 0)
    assert kept() == {"Hanna": ["+491711234567", HANNA, "555"]}
    assert Contact.objects.get().company == "Brandt GmbH"


def test_a_crash_in_the_middle_of_keeping_leaves_nothing(company: Company, monkeypatch: Any) -> None:
    monkeypatch.setattr("wallboard.contacts.bulk_import.BATCH", 2)
    text = "name,phone\n" + "".join(f"P{number},030 9018{number}\n" for number in range(20, 29))
    real, calls = Contact.objects.bulk_create, []

    def breaks(rows: list[Contact]) -> list[Contact]:
        calls.append(rows)
        if len(calls) == 3:
            raise RuntimeError
        return real(rows)

    monkeypatch.setattr(Contact.objects, "bulk_create", breaks)
    running = begun(company, text)
    with pytest.raises(RuntimeError):
        run(running)

    assert kept() == {}
    Import.objects.update(heard_at=timezone.now() - imports.STALLED_AFTER * 2)
    monkeypatch.undo()
    assert run(running).added == 9


def test_a_file_is_not_run_twice_at_once(company: Company) -> None:
    running = begun(company, MESSY)

    assert [imports.queue(running, skips_bad=False) for _each in range(2)] == [True, False]
    tasks.import_contacts(running.pk)
    tasks.import_contacts(running.pk)
    assert Contact.objects.count() == 3
    assert not imports.queue(running, skips_bad=False)


@pytest.mark.parametrize("content", [b"", b"  \n", b"\x89PNG\r\n\x1a\n\0\0\0", b'name,phone\n"' + b"x" * 200_000])
def test_what_is_no_table_is_refused(company: Company, content: bytes) -> None:
    with pytest.raises(InvalidInput):
        begun(company, content)

    assert not Import.objects.exists()


def test_columns_are_said_by_hand_where_names_say_nothing(company: Company) -> None:
    running = begun(company, "Hanna|030 901820\nBen|555\n")
    assert (running.columns, running.has_header, running.lines) == (["", ""], False, 2)

    with pytest.raises(InvalidInput):
        imports.set_columns(running, ["name", ""], False)
    imports.set_columns(running, ["name", "number"], False)

    assert [wish.name for _line, _row, wish in imports.preview(running) if isinstance(wish, ContactInput)] == [
        "Hanna",
        "Ben",
    ]


def test_an_export_comes_in_again_as_it_was(company: Company, neighbours: Company, boss: Client) -> None:  # noqa: F811
    address_book.save(company.domain, ContactInput("=1+1", "@home", "", (HANNA, "lab@partner.example")))
    exported = boss.get("/desk/contacts/export/").content
    Contact.objects.all().delete()

    run(begun(company, exported))

    assert kept() == {"=1+1": [HANNA, "lab@partner.example"]}


def test_a_supervisor_imports_through_the_pages(company: Company, boss: Client, monkeypatch: Any) -> None:  # noqa: F811
    monkeypatch.setattr(tasks.import_contacts, "apply_async", lambda args, **_options: imports.run(*args))
    upload = SimpleUploadedFile("c.csv", b"who,phone\n<script>alert(1)</script>,030 901820\n", "text/csv")

    state = boss.post("/desk/contacts/import/", {"file": upload})["Location"]
    page = boss.get(state).content.decode()
    boss.post(f"{state}columns/", {"column": ["name", "number"], "has_header": "on"})
    assert kept() == {}
    boss.post(f"{state}columns/", {"column": ["name", "number"], "has_header": "on", "start": "1"})

    assert "<script>alert" not in page
    assert list(kept()) == ["<script>alert(1)</script>"]
    assert "The file is in." in boss.get(state).content.decode()


def test_while_a_file_is_read_its_page_shows_how_far_and_looks_again(company: Company, boss: Client) -> None:  # noqa: F811
    running = begun(company, MESSY)
    still = boss.get(f"/desk/contacts/import/{running.pk}/")
    Import.objects.update(state=Import.State.RUNNING, lines=20_000, lines_read=1000)

    answer = boss.get(f"/desk/contacts/import/{running.pk}/")

    page = answer.content.decode()
    assert "1000 of 20000 lines read" in page
    assert '<progress class="contacts-progress" value="1000" max="20000"' in page
    assert (answer["Refresh"], still.has_header("Refresh")) == ("1", False)
    assert 'name="start"' not in page, "nobody begins it once more"


def test_another_companys_file_does_not_exist(company: Company, neighbours: Company, boss: Client) -> None:  # noqa: F811
    theirs = begun(neighbours, MESSY)

    for answer in (
        boss.get(f"/desk/contacts/import/{theirs.pk}/"),
        boss.post(f"/desk/contacts/import/{theirs.pk}/skip/"),
    ):
        assert answer.status_code == 404


def test_a_file_whose_worker_died_is_offered_again(company: Company, boss: Client) -> None:  # noqa: F811
    running = begun(company, b"name,phone\nHanna,030 901820\n")
    assert imports.queue(running, skips_bad=False)
    page = f"/desk/contacts/import/{running.pk}/"
    assert "Refresh" in boss.get(page).headers
    Import.objects.update(heard_at=timezone.now() - imports.STALLED_AFTER * 2, state=Import.State.RUNNING)

    assert f'action="{page}columns/"' in boss.get(page).content.decode()
    boss.post(f"{page}columns/", {"column": ["company", "number"], "has_header": "1"})
    running.refresh_from_db()
    assert running.columns == ["company", "number"]


@pytest.mark.parametrize(
    ("header", "roles"),
    [
        (["Name", "E-mail 1 - Value", "Phone 1 - Type", "Phone 1 - Value"], ["name", "email", "", "number"]),
        (["First Name", "Last Name", "Name", "Mobile Phone"], ["first", "last", "", "number"]),
        (["Company Name", "Business Phone"], ["company", "number"]),
        (["Company", "Company Main Phone"], ["company", "number"]),
        (["Organization 1 - Name", "Organization 1 - Title"], ["company", ""]),
        (["4711", "x"], ["", ""]),
        (["Titel", "Vorname", "Nachname", "Telefon"], ["", "first", "last", "number"]),
        (["Name", "Priv.Tel.", "Tel.-Nr."], ["name", "number", "number"]),
        (["Hotel Adler", "030 901820"], ["", ""]),
    ],
)
def test_column_names_are_understood(header: list[str], roles: list[str]) -> None:
    assert import_files.guess_columns(header) == roles
