"""What each address answers, whole and limited, with numbers and without."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts import limits
from accounts.models import AuditEntry, Domain, Person
from tests.api.conftest import MakeProgram, Program, problem
from tests.reports.test_day_figures import sample
from wallboard.alerts.models import Alert
from wallboard.boards import editing
from wallboard.contacts.models import Contact, SyncedBook
from wallboard.desk.models import Note
from wallboard.queues.models import PollState, Queue, Sample
from wallboard.reports.rollups import days, rolling

NUMBERS = ("901837", "901820", "Carla")


def test_queues_have_their_figures_with_the_proof(program: Program) -> None:
    PollState.objects.update(read_at=timezone.now())
    told = program.ask("queues").json()

    orders = told["items"][0]
    assert (orders["number"], orders["name"], orders["level"]) == ("800", "Orders", "late")
    assert orders["figures"]["waiting"] == {"value": 3, "known": "measured", "proof": "queue.waiting"}
    assert orders["figures"]["longest_wait"]["value"] == 70
    assert told["proofs"]["queue.waiting"]["unit"] == "callers"
    assert told["proofs"]["queue.longest"]["formula"]
    assert told["proofs"]["queue.longest"]["notes"]  # not proven here yet
    assert told["is_live"] is True
    assert 0 <= told["age_seconds"] < 60


def test_old_figures_are_not_called_live(program: Program) -> None:
    PollState.objects.update(read_at=timezone.now() - timedelta(minutes=5))

    told = program.ask("queues/800").json()

    assert told["is_live"] is False
    assert 300 <= told["age_seconds"] < 360


def test_what_cannot_be_proven_has_no_value(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wallboard.calibration.figure_words.is_against", lambda standing, good: True)

    figures = program.ask("queues/800").json()["item"]["figures"]

    assert figures["longest_wait"] == {"value": None, "known": "not_provable", "proof": "queue.longest"}
    assert figures["waiting"]["value"] == 3


def test_samples_are_paged_by_the_minute(program: Program) -> None:
    queue, now = Queue.objects.get(number="800"), timezone.now().replace(second=0, microsecond=0)
    for minute in range(3):
        Sample.objects.create(
            queue=queue, minute=now - timedelta(minutes=3 - minute), readings=12, waiting=minute, most_waiting=minute,
            longest_wait_seconds=9, watch_seconds=0, late_seconds=0, nobody_seconds=0,
        )  # fmt: skip
    page = program.ask("queues/800/samples", data={"limit": 2}).json()
    rest = program.ask("queues/800/samples", data={"limit": 2, "cursor": page["next"]}).json()

    assert [row["waiting"] for row in [*page["items"], *rest["items"]]] == [0, 1, 2]
    assert rest["next"] is None
    assert program.ask("queues/999/samples").status_code == 404
    assert problem(program.ask("queues/800/samples?since=yesterday"))[0] == 400
    assert program.ask("queues/800/samples?until=0001-01-01T00:00:00Z").status_code == 200


def test_people_are_told_with_their_state(program: Program) -> None:
    told = program.ask("people").json()

    assert [(row["extension"], row["name"]) for row in told["items"]] == [("301", "Ada"), ("302", "Ben")]
    assert told["events"]["state"] in ("live", "starting", "down")
    assert program.ask("people/301").json()["item"]["name"] == "Ada"
    assert program.ask("people/999").status_code == 404


def test_calls_are_masked_unless_the_scope_says_otherwise(program: Program, make_program: MakeProgram) -> None:
    masked = make_program("calls", "call-backs", "notes")
    for path in ("calls", "calls/log"):
        whole, hidden = program.ask(path).content.decode(), masked.ask(path).content.decode()
        assert "Carla Caller" in whole
        assert [each for each in NUMBERS if each in hidden] == []
        assert "••37" in hidden
    assert problem(masked.ask("calls/log?q=901837"))[0] == 403
    assert len(program.ask("calls/log?q=030901837").json()["items"]) == 1


def test_a_limit_hides_what_it_hides_from_people(floor: Domain, make_program: MakeProgram) -> None:
    other = make_program(queues=("801",))
    team = make_program(team=limits.save_team(floor, "Two", ["302"]))
    now = timezone.now()
    Alert.objects.create(
        domain=floor, queue=Queue.objects.get(number="800"), level="late", worst="late", began_at=now, raised_at=now
    )
    Note.objects.create(domain=floor, call_id="one", number_e164="+4930901837", text="hidden words", stamp=1)

    assert [row["number"] for row in other.ask("queues").json()["items"]] == ["801"]
    assert other.ask("queues/800").status_code == 404
    assert other.ask("queues/800/samples").status_code == 404
    assert other.ask("calls").json()["items"] == []
    assert other.ask("alerts?state=all").json()["items"] == []
    assert other.ask("notes").json()["items"] == []
    assert [row["extension"] for row in team.ask("people").json()["items"]] == ["302"]
    assert team.ask("people/301").status_code == 404
    assert [row["call"] for row in team.ask("calls").json()["items"]] == ["two"]
    assert [row["call"] for row in team.ask("calls/log").json()["items"]] == ["two"]


def test_alerts_and_boards(program: Program, make_program: MakeProgram, floor: Domain) -> None:
    now = timezone.now()
    queue = Queue.objects.get(number="800")
    Alert.objects.create(domain=floor, queue=queue, level="late", worst="late", began_at=now, raised_at=now)
    editing.create(floor, editing.BoardInput("Orders"), slug="orders")

    assert [row["queue"] for row in program.ask("alerts").json()["items"]] == ["800"]
    assert program.ask("alerts?state=ended").json() == {"items": [], "next": None}
    assert "orders" in [row["slug"] for row in program.ask("boards").json()["items"]]
    assert "sections" in program.ask("boards/orders").json()["layout"]
    assert program.ask("boards/none").status_code == 404


@pytest.mark.parametrize("path", ["reports/queues", "reports/queues?by=part", "reports/people", "reports/calls"])
def test_reports_say_their_days_and_proofs(program: Program, path: str) -> None:
    told = program.ask(path).json()

    assert told["period"]["time_zone"] == "Europe/Berlin"
    assert all(proof["formula"] for proof in told["proofs"].values())


def test_reports_count_no_day_with_many_rows_themselves(
    program: Program, floor: Domain, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(days, "MOST_QUEUE_DAYS", 0)
    now = timezone.now()
    sample(Queue.objects.filter(domain=floor)[0], now, waiting=2)
    waiting = program.ask("reports/queues")

    rolling.roll(floor, now)

    assert problem(waiting)[0] == 503
    assert waiting.headers["Retry-After"] == "60"
    told = program.ask("reports/queues").json()
    assert told["period"]["counted_until"] == f"{now:%Y-%m-%dT%H:%M:00Z}"
    assert told["items"][0]["figures"]["most"]["value"] == 2


@pytest.mark.parametrize(
    "query", ["first=2026-02-02&last=2026-02-01", "first=2026-01-01&last=2026-12-31", "first=0001-01-01", "first=x"]
)
def test_days_that_make_no_sense_are_refused(program: Program, query: str) -> None:
    assert problem(program.ask(f"reports/queues?{query}"))[0] == 400
    assert problem(program.ask("calls/log?first=9999-12-31"))[0] == 400


def test_call_backs_and_notes(program: Program, make_program: MakeProgram, floor: Domain) -> None:
    Note.objects.create(domain=floor, call_id="one", number_e164="+4930901837", text="calls again", stamp=1)
    masked = make_program("notes", "call-backs")

    assert program.ask("notes?call=one").json()["items"][0]["number"] == "+4930901837"
    assert masked.ask("notes").json()["items"][0]["number"] == "••• ••37"
    assert program.ask("call-backs").json()["next"] is None


def test_contacts_are_written_and_the_audit_log_names_the_program(program: Program) -> None:
    body = {"name": "Dora", "company": "Dora & Co", "numbers": ["030 901845"]}
    made = program.ask("contacts", "POST", json=body)
    assert (made.status_code, made.json()["numbers"]) == (201, ["+4930901845"])
    path = f"contacts/{made.json()['id']}"

    changed = program.ask(path, "PUT", json={**body, "name": "Dora D."})
    found = program.ask("contacts?q=dora").json()["items"]
    bad = program.ask(path, "PUT", json={**body, "numbers": ["no number!"]})
    gone = program.ask(path, "DELETE")

    assert changed.json()["name"] == "Dora D."
    assert [row["name"] for row in found] == ["Dora D."]
    assert problem(bad)[0] == 422
    assert (gone.status_code, gone.content) == (204, b"")
    assert problem(program.ask(path))[0] == 404
    written = AuditEntry.objects.filter(who="API: Report script").values_list("what", flat=True)
    assert set(written) == {"contact added", "contact changed", "contacts searched", "contact removed"}


def test_a_search_for_contacts_gives_no_more_than_asked_for_and_says_so(program: Program) -> None:
    for name in ("Hanna A", "Hanna B", "Hanna C"):
        program.ask("contacts", "POST", json={"name": name, "numbers": ["030 901845"]})

    some, every = program.ask("contacts?q=hanna&limit=2").json(), program.ask("contacts?q=hanna&limit=3").json()

    assert ([each["name"] for each in some["items"]], some["next"], some["is_cut"]) == (
        ["Hanna A", "Hanna B"],
        None,
        True,
    )
    assert (len(every["items"]), every["is_cut"]) == (3, False)


def test_a_contact_of_an_address_book_is_told_and_not_written(program: Program, floor: Domain) -> None:
    book = SyncedBook.objects.create(domain=floor, name="Office", username="mia")
    path = f"contacts/{Contact.objects.create(domain=floor, book=book, name='Eva').pk}"

    assert program.ask(path).json()["is_from_book"] is True
    assert problem(program.ask(path, "PUT", json={"name": "x", "numbers": ["030901845"]}))[0] == 409
    assert problem(program.ask(path, "DELETE"))[0] == 409


def test_contacts_are_read_only_without_the_scope(make_program: MakeProgram) -> None:
    reader = make_program("contacts")

    assert reader.ask("contacts").status_code == 200
    assert problem(reader.ask("contacts", "POST", json={"name": "x", "numbers": ["030901845"]}))[0] == 403


def test_another_companys_things_are_not_there(program: Program) -> None:
    other = Domain.objects.create(slug="other", name="Other", base_url="http://other.test")
    theirs = Contact.objects.create(domain=other, name="Theirs")
    Queue.objects.create(domain=other, number="900")
    Person.objects.create(domain=other, extension="901")
    editing.create(other, editing.BoardInput("Theirs"), slug="theirs")

    for path in (f"contacts/{theirs.pk}", "queues/900", "queues/900/samples", "people/901", "boards/theirs"):
        assert problem(program.ask(path))[0] == 404, path
    for method in ("PUT", "DELETE"):
        body = {"name": "Taken", "numbers": ["030901845"]}
        assert problem(program.ask(f"contacts/{theirs.pk}", method, json=body))[0] == 404
    for path in ("contacts", "queues", "people", "boards", "alerts", "notes", "call-backs", "calls", "calls/log"):
        assert "Theirs" not in program.ask(path).content.decode(), path
    assert Contact.objects.get(pk=theirs.pk).name == "Theirs"
