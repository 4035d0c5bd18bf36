"""A company is set up from a file: all of it or nothing; the same again changes nothing; errors name their place."""

from datetime import time
from typing import Any

import msgspec
import pytest

from accounts import limits, people
from accounts.models import AuditEntry, Domain, Person
from tests.boards.conftest import domain as domain
from wallboard.alerts import rules
from wallboard.alerts.rules import RuleInput
from wallboard.alerts.ruling import kind_rules
from wallboard.alerts.ruling.kind_rules import KindInput
from wallboard.boards import editing as boards
from wallboard.boards import layout as layouts
from wallboard.boards.models import Board
from wallboard.carddav import books
from wallboard.carddav.books import BookInput
from wallboard.configuration import comparing, document, exporting, importing
from wallboard.configuration.document import NotUnderstood
from wallboard.contacts.models import SyncedBook
from wallboard.desk import outcomes
from wallboard.desk.outcomes import LinkInput
from wallboard.notifications import destinations, routes
from wallboard.notifications.models import Channel, Destination
from wallboard.notifications.routes import StepInput
from wallboard.queues import editing
from wallboard.queues.hours import timetables
from wallboard.queues.hours.timetables import Timetable
from wallboard.queues.models import Queue
from wallboard.reports.service import rules as service
from wallboard.reports.service.rules import OwnSeconds
from wallboard.reports.service_level import Rule
from wallboard.screens import rotations, screens
from wallboard.setup import brands

GRID = {
    "rows": 12,
    "cards": [{"id": "a1", "kind": "image", "x": 0, "y": 0, "w": 6, "h": 4, "image": 7}],
}


@pytest.fixture
def full(domain: Domain) -> Domain:
    """A company that has set everything."""
    queue = Queue.objects.create(domain=domain, number="800", name="Orders", group="Sales")
    editing.set_targets(domain, queue, {"waiting_watch": 3, "waiting_late": 5})
    editing.set_targets(domain, None, {"longest_wait_late_seconds": 90})
    week = (((480, 1020),), *((),) * 6)
    timetables.set_hours(domain, queue, Timetable(week, (("2026-12-25", "Christmas"),)))
    rules.save(domain, {None: RuleInput("watch", 10, 60), queue: RuleInput("never")})
    kind_rules.save(domain, {"nobody": KindInput(False)})
    service.save(domain, Rule("D", 30, 5, True), {"800": OwnSeconds(15)})
    ada = people.get_or_create(domain, "301", "Ada Lovelace")
    team = limits.save_team(domain, "Day", ["301"])
    limits.set_limit(people.get_or_create(domain, "302"), ["800"], team)
    values = {"name": "Floor", "queues": ["800"], "days": 31, "from_time": time(8), "until_time": time(18)}
    floor = destinations.add(domain, Channel.WEBHOOK, "Floor lamp", "https://lamp.example.com/secret-path")
    routes.save(domain, values, [StepInput(0, [ada], [team], [floor])])
    board = boards.create(domain, boards.BoardInput("Wall", layout=layouts.parse(GRID)), "wall")
    rotation = rotations.save(domain, rotations.RotationInput("Hall", ((board, 30),)))
    tv, _token = screens.create(board, "North wall", rotation=rotation)
    screens.set_sound(tv, True)
    screens.set_language(tv, "de")
    screens.allow_numbers(tv, True)
    brands.save(domain, brands.BrandInput("#0a6e5c", direction="rtl"))
    books.add(domain, BookInput("Office", "https://cards.example.com/office/", "mia", "secret-word"))
    Domain.objects.filter(pk=domain.pk).update(replay_kept_days=0, log_kept_days=90, samples_kept_days=60)
    domain.refresh_from_db()
    outcomes.save_outcomes(domain, ["Solved", "Call again"])
    outcomes.save_links(domain, ["crm.example.com"], [LinkInput(None, "CRM", "https://crm.example.com/?n={number}")])
    return domain


@pytest.fixture
def empty() -> Domain:
    return Domain.objects.create(slug="new", name="New", base_url="http://b.test", client_id="i", client_secret="s")


def test_an_export_sets_up_an_empty_company_that_is_then_equal(full: Domain, empty: Domain) -> None:
    text = document.written(exporting.export(full))
    for hidden in ("Ada", "secret", "provider.test", "lamp.example"):
        assert hidden not in text.decode()

    found = importing.take(empty, document.read(text))

    assert {each.path.split(".")[1].split("[")[0] for each in found} >= {"teams", "queues", "boards", "links"}
    empty.refresh_from_db()
    destinations.add(empty, Channel.WEBHOOK, "Floor lamp", "https://other.example.com/")
    screens.create(Board.objects.get(domain=empty), "North wall")
    importing.take(empty, document.read(text))
    assert comparing.differences(exporting.export(full), exporting.export(empty)) == []
    assert Board.objects.get(domain=empty).layout["cards"][0]["image"] is None
    assert set(Person.objects.filter(domain=empty).values_list("extension", "role")) == {
        ("301", "agent"),
        ("302", "agent"),
    }


def test_what_no_document_can_make_is_left_out_and_said_until_it_is_there(full: Domain, empty: Domain) -> None:
    wanted, left_out = exporting.export(full), list[str]()
    importing.take(empty, wanted, left_out=left_out)
    assert left_out == ["$.routes[0]", "$.screens[0]"]
    empty.refresh_from_db()
    missing = [each.path for each in comparing.differences(exporting.export(full), exporting.export(empty))]
    assert missing == ["$.routes[Floor].steps", "$.screens[North wall]"]

    destinations.add(empty, Channel.WEBHOOK, "Floor lamp", "https://other.example.com/")
    screens.create(Board.objects.get(domain=empty), "North wall")
    left_out.clear()
    importing.take(empty, wanted, left_out=left_out)

    assert (left_out, exporting.export(empty)) == ([], exporting.export(full))
    assert Destination.objects.get(domain=empty).address.open() == "https://other.example.com/"


def test_an_address_book_waits_for_its_password_and_keeps_the_one_that_is_stored(full: Domain, empty: Domain) -> None:
    importing.take(empty, exporting.export(full))
    book = SyncedBook.objects.get(domain=empty)
    assert (book.is_paused, book.password.open()) == (True, "")

    def change(told: dict[str, Any]) -> None:
        told["address_books"][0].update(username="ada", url="https://cards.example.com/sales/")

    importing.take(full, changed(full, change))
    book = SyncedBook.objects.get(domain=full)
    assert (book.username, book.password.open(), book.is_paused) == ("ada", "secret-word", False)


def test_a_document_of_an_earlier_release_leaves_what_it_does_not_know(full: Domain) -> None:
    def change(told: dict[str, Any]) -> None:
        told["company"] = {name: each for name, each in told["company"].items() if "s_kept" not in name} | {
            "calls_kept_days": None,
            "notes_kept_days": 30,
        }
        told["company"].pop("replay_kept_days")
        told["company"].pop("log_kept_days")
        told["routes"][0].update(level="watch")
        told["routes"][0]["steps"][0].pop("destinations")

    importing.take(full, changed(full, change))

    full.refresh_from_db()
    kept = (full.notes_kept_days, full.replay_kept_days, full.log_kept_days, full.samples_kept_days)
    assert kept == (30, 0, 90, 60)
    assert exporting.export(full).routes[0].steps[0].destinations == ["Floor lamp"]  # type: ignore[index]


def test_an_import_of_an_export_changes_nothing(full: Domain) -> None:
    entries, version = AuditEntry.objects.count(), Board.objects.get().version

    assert importing.take(full, exporting.export(full)) == []

    assert (AuditEntry.objects.count(), Board.objects.get().version) == (entries, version)
    assert Board.objects.get().layout["cards"][0]["image"] == 7


def test_a_dry_run_says_what_would_change_and_changes_nothing(full: Domain) -> None:
    wanted = changed(full, lambda told: told["queues"][0].update(name="Sales"))

    found = importing.take(full, wanted, is_dry=True)

    assert [(each.path, each.before, each.after) for each in found] == [("$.queues[800].name", '"Orders"', '"Sales"')]
    assert Queue.objects.get(domain=full).name == "Orders"
    assert importing.take(full, wanted) == found
    assert Queue.objects.get(domain=full).name == "Sales"


def test_a_changed_board_keeps_its_pictures_and_what_is_not_named_stays(full: Domain) -> None:
    def change(told: dict[str, Any]) -> None:
        told["boards"][0]["notice"] = "Closed on Friday"
        for name in list(told):
            if name not in ("version", "boards"):
                del told[name]

    importing.take(full, changed(full, change))

    board = Board.objects.get()
    assert (board.notice, board.layout["cards"][0]["image"]) == ("Closed on Friday", 7)
    assert Queue.objects.filter(domain=full).count() == 1


def changed(domain: Domain, change: Any) -> document.Configuration:
    told = msgspec.json.decode(document.written(exporting.export(domain)))
    change(told)
    return document.read(msgspec.json.encode(told))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda told: told.update(version=2), "$.version"),
        (lambda told: told.update(colour="red"), "unknown field `colour`"),
        (lambda told: told["queues"][0].update(colour=1), "$.queues[0]"),
        (lambda told: told["company"].update(day_starts_hour=24), "$.company.day_starts_hour"),
        (lambda told: told["company"].update(time_zone="Mars/North"), "$.company.time_zone"),
        (lambda told: told["company"].update(country="ZZ"), "$.company.country"),
        (lambda told: told["queues"][0]["targets"].update(waiting_late=1), "$.queues[0].targets"),
        (lambda told: told["queues"][0]["hours"]["week"].__setitem__(0, "noon"), "$.queues[0].hours"),
        (lambda told: told["limits"][0].update(team="Night"), "$.limits[0]"),
        (lambda told: told["limits"][0].update(queues=["800", "8O0"]), "There is no queue “8O0”. - at `$.limits[0]"),
        (lambda told: told["routes"][0].update(queues=["8O0"]), "There is no queue “8O0”. - at `$.routes[0]"),
        (lambda told: told["teams"][0].update(people=["Ada Lovelace"]), "“Ada Lovelace”: An extension has at most 64"),
        (lambda told: told["limits"][0].update(extension="303 "), "- at `$.limits[0]"),
        (lambda told: told["routes"][0]["steps"][0].update(people=["303\t"]), "- at `$.routes[0]"),
        (lambda told: told["service_level"].update(formula="Q"), "$.service_level.formula"),
        (lambda told: told["alert_kinds"].update(rain={}), "$.alert_kinds.rain"),
        (lambda told: told["routes"][0].update(kinds=["rain"]), "$.routes[0]"),
        (lambda told: told["routes"][0].update(until_time=None), "$.routes[0]"),
        (lambda told: told["boards"][0].update(layout={"cards": 5}), "$.boards[0]"),
        (lambda told: told["boards"][0].update(slug="new"), "$.boards[0]"),
        (lambda told: told["boards"][0].update(time_zone="Mars"), "$.boards[0]"),
        (lambda told: told["rotations"][0]["steps"][0].update(board="none"), "$.rotations[0]"),
        (lambda told: told["screens"][0].update(board="none"), "$.screens[0]"),
        (lambda told: told["screens"][0].update(rotation="none"), "$.screens[0]"),
        (lambda told: told["screens"][0].update(language="xx"), "$.screens[0]"),
        (lambda told: told["look"].update(colour="red"), "$.look.colour"),
        (lambda told: told["company"].update(log_kept_days=3), "$.company.log_kept_days"),
        (lambda told: told["address_books"][0].update(url="http://127.0.0.1/"), "$.address_books[0]"),
        (lambda told: told["address_books"][0].update(url="https://other.example.com/"), "$.address_books[0]"),
        (lambda told: told["outcomes"].extend(f"Word {each}" for each in range(40)), "$.outcomes"),
        (lambda told: told["links"]["links"][0].update(template="https://evil.example/"), "$.links"),
        (lambda told: told["queues"][0].update(name="a\0b"), "$.queues[0]"),
    ],
)
def test_what_is_wrong_names_its_place_and_changes_nothing(full: Domain, change: Any, says: str) -> None:
    before = exporting.export(full)

    def spoil(told: dict[str, Any]) -> None:
        told["queues"][0]["order"] = 77
        change(told)

    with pytest.raises(NotUnderstood) as refusal:
        importing.take(full, changed(full, spoil))

    assert says in str(refusal.value)
    assert exporting.export(full) == before


def test_what_is_nested_deeper_than_it_can_be_followed_is_refused(full: Domain) -> None:
    nested: dict[str, Any] = {}
    for _ in range(5_000):
        nested = {"cards": nested}
    deep = document.BoardSettings(slug="deep", name="Deep", layout=nested)

    with pytest.raises(NotUnderstood):
        importing.take(full, document.Configuration(version=1, boards=[deep]))


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b"\xff", b"[" * 100_000])
def test_what_is_no_document_is_refused(text: bytes) -> None:
    with pytest.raises(NotUnderstood):
        document.read(text)
