"""All targets in one table: inherited bounds, a preview of today before saving, and nothing lost between two people."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.test import Client

from accounts.models import AuditEntry, Domain
from accounts.saving import tables
from tests.boards.conftest import SignIn
from tests.reports.test_queue_calls import CERTAIN
from wallboard.calibration import findings
from wallboard.queues.hours import timetables
from wallboard.queues.hours.timetables import Timetable, read_ranges
from wallboard.queues.models import Queue, Sample, Target
from wallboard.queues.targets import levels, previews, table
from wallboard.queues.targets.previews import Shown

NOON = datetime(2026, 3, 4, 12, 0, tzinfo=ZoneInfo("Europe/Berlin"))


@pytest.fixture
def sales(domain: Domain) -> Queue:
    levels.make_default(domain)
    Queue.objects.create(domain=domain, number="502", name="Support", order=2)
    return Queue.objects.create(domain=domain, number="501", name="Sales", order=1)


@pytest.fixture
def client(sign_in: SignIn) -> Client:
    return sign_in("supervisor")


def sample(
    queue: Queue, minute: datetime, longest: int, waiting: int = 1, available: int | None = 2, **seconds: float
) -> None:
    counted = {"late_seconds": 0.0, "watch_seconds": 0.0, "nobody_seconds": 0.0, **seconds}
    Sample.objects.create(
        queue=queue, minute=minute, readings=12, waiting=waiting, most_waiting=waiting, longest_wait_seconds=longest,
        average_wait_seconds=None, agents=3, least_available=available, **counted,
    )  # fmt: skip


def posted(sales: Queue, act: str = "save", **bounds: str) -> dict[str, str]:
    """The table as it is, with these cells of Sales or, by `default_…`, of the first row written over."""
    cells = {cell.field_name: cell.text for row in table.rows_of(sales.domain) for cell in row.cells}
    made_from = tables.carried(cells)
    for name, text in bounds.items():
        row, _, column = name.partition("_") if name.startswith("default_") else (f"q{sales.pk}", "", name)
        cells[f"{row}-{column}"] = text
    return {"act": act, "stamp": table.stamp(sales.domain), "made_from": made_from, **cells}


def test_a_bound_of_a_queue_is_kept_and_an_empty_one_inherited(client: Client, sales: Queue) -> None:
    answer = client.post("/targets/", posted(sales, longest_wait_late_seconds="3:00", available_late_below="2"))

    assert answer.status_code == 302
    assert levels.standards(sales.domain_id).of("501").as_document() == {
        "longest_wait": [60, 180], "waiting": [None, None], "available_below": [None, 2],
        "average_wait": [None, None], "service_below": [None, None],
    }  # fmt: skip
    assert levels.standards(sales.domain_id).of("502").longest_wait == (60, 120)
    page = client.get("/targets/").content.decode()
    assert 'value="3:00" placeholder="2:00"' in page
    assert 'value="" placeholder="1:00"' in page


@pytest.mark.parametrize(("act", "status"), [("preview", 200), ("save", 302)])
def test_a_company_with_500_queues_can_look_and_save(client: Client, sales: Queue, act: str, status: int) -> None:
    Queue.objects.bulk_create(Queue(domain=sales.domain, number=str(1000 + index)) for index in range(498))

    assert client.post("/targets/", posted(sales, act, waiting_late="7")).status_code == status

    assert Target.objects.filter(queue=sales, waiting_late=7).exists() == (act == "save")


def test_only_what_differs_is_saved_and_noted(client: Client, sales: Queue) -> None:
    client.post("/targets/", posted(sales))
    assert not AuditEntry.objects.filter(what__startswith="targets").exists()

    client.post("/targets/", posted(sales, waiting_watch="5"))
    client.post("/targets/", posted(sales, waiting_watch=""))

    noted = AuditEntry.objects.filter(what__startswith="targets").order_by("pk").values_list("what", "about")
    assert list(noted) == [("targets changed", "501"), ("targets dropped", "501")]
    assert Target.objects.get().queue is None


@time_machine.travel(NOON, tick=False)
def test_the_preview_shows_today_with_other_targets_and_saves_nothing(client: Client, sales: Queue) -> None:
    for minute in range(50):
        is_watch = minute < 37
        at = NOON - timedelta(minutes=60 - minute)
        sample(sales, at, longest=90 if is_watch else 45, watch_seconds=60 if is_watch else 0)
    sample(sales, NOON - timedelta(days=1), longest=500)

    answer = client.post(
        "/targets/", posted(sales, "preview", longest_wait_watch_seconds="40", longest_wait_late_seconds="1:10")
    )

    rows = answer.context["rows"]
    assert (rows[1].was, rows[1].then) == (Shown(0, 37, 50), Shown(37, 13, 50))
    assert "would have shown 37 minutes late and 13 on watch" in answer.content.decode()
    assert Target.objects.count() == 1


def test_targets_for_the_average_wait_and_the_service_level_are_kept(client: Client, sales: Queue) -> None:
    wanted = {"average_wait_late_seconds": "1:30", "service_watch_below": "85 %", "default_service_late_below": "80"}

    assert client.post("/targets/", posted(sales, **wanted)).status_code == 302

    own = levels.standards(sales.domain_id).of("501")
    assert (own.average_wait, own.service_below) == ((None, 90), (85, 80))
    assert levels.standards(sales.domain_id).of("502").service_below == (None, 80)
    assert client.get("/targets/?as=csv").getvalue().decode("utf-8-sig").splitlines()[2].split(",")[2:8] == [
        *("", "", "", "90"),
        *("", ""),
    ]


@time_machine.travel(NOON, tick=False)
@pytest.mark.parametrize(("hidden", "late"), [("", 10), ("average", 0)])
def test_the_preview_judges_the_average_wait_unless_it_is_none_of_now(
    client: Client, domain: Domain, sales: Queue, hidden: str, late: int
) -> None:
    Domain.objects.filter(pk=domain.pk).update(hidden_waits=hidden, period_waits=hidden)
    for minute in range(10):
        sample(sales, NOON - timedelta(minutes=20 - minute), longest=30)
    Sample.objects.update(average_wait_seconds=25.5)

    answer = client.post("/targets/", posted(sales, "preview", average_wait_late_seconds="25"))

    assert answer.context["rows"][1].then == Shown(late, 0, 10)
    is_said = "average wait is one of a period" in answer.content.decode()
    assert is_said == bool(hidden)


def test_a_wait_whose_meaning_is_in_doubt_is_said_to_judge_nothing(
    client: Client, domain: Domain, sales: Queue
) -> None:
    Domain.objects.filter(pk=domain.pk).update(hidden_waits="average longest", period_waits="average")

    page = client.get("/targets/").content.decode()

    assert "What the provider’s longest wait means is no longer certain" in page
    assert "The provider’s average wait is one of a period" in page


def test_it_says_why_the_service_level_is_not_judged_yet_and_how_once_it_is(
    client: Client, domain: Domain, sales: Queue
) -> None:
    before = client.get("/targets/").content.decode()
    for question, answer in CERTAIN.items():
        findings.overrule(domain, question, answer, None)
    after = client.get("/targets/").content.decode()

    assert "so its bounds judge nothing" in before
    assert "Call id of a caller (is not proven yet)" in before
    assert "so its bounds judge nothing" not in after
    assert "once 20 of them count" in after


@time_machine.travel(NOON, tick=False)
def test_minutes_outside_hours_count_only_where_asked(domain: Domain, sales: Queue) -> None:
    for minute in range(10):
        sample(sales, NOON - timedelta(minutes=5) + timedelta(minutes=minute - 5), longest=500)
    week = ((read_ranges("11:55-17:00")),) * 7
    found = {}
    for counts in (False, True):
        timetables.set_hours(domain, None, Timetable(week, counts_outside=counts))
        shown = previews.estimated_today(domain, previews.with_bounds({}, {}), levels.standards(domain.pk), NOON)
        found[counts] = shown["501"]

    assert found == {False: Shown(5, 0, 10), True: Shown(10, 0, 10)}


@time_machine.travel(NOON, tick=False)
def test_minutes_today_are_those_of_the_reports(client: Client, sales: Queue) -> None:
    for minute, (longest, late) in enumerate([(130, 15.0), (150, 40.0), (140, 35.0)]):
        sample(sales, NOON - timedelta(minutes=9 - minute), longest, late_seconds=late)

    rows = client.get("/targets/").context["rows"]
    [reported] = client.get("/reports/").context["queues"]
    unchanged = client.post("/targets/", posted(sales, "preview")).context["rows"]

    assert reported.late_minutes == 2
    assert [rows[1].was.late, rows[1].then.late, unchanged[1].then.late] == [2, 2, 2]


def test_below_and_above_are_both_judged(domain: Domain, sales: Queue) -> None:
    now = NOON
    sample(sales, now - timedelta(minutes=1), longest=0, waiting=0, available=1)
    sample(sales, now - timedelta(minutes=2), longest=10, waiting=9)
    sample(sales, now - timedelta(minutes=3), longest=10, waiting=1, available=None)
    wanted = previews.with_bounds({"waiting_watch": 8}, {"501": {"available_late_below": 2}})

    shown = previews.estimated_today(domain, previews.with_bounds({}, {}), wanted, now)

    assert shown["501"] == Shown(1, 1, 3)


@pytest.mark.parametrize(
    ("bounds", "sentence"),
    [
        ({"longest_wait_watch_seconds": "soon"}, "Write a wait like 1:30, or in seconds."),
        ({"longest_wait_watch_seconds": "1:75"}, "Write a wait like 1:30, or in seconds."),
        ({"waiting_late": "-1"}, "Write a whole number."),
        ({"average_wait_late_seconds": "0"}, "Write a wait like 1:30, or in seconds."),
        ({"service_late_below": "0"}, "Write a percentage from 1 to 100."),
        ({"service_late_below": "101"}, "Write a percentage from 1 to 100."),
        ({"service_watch_below": "80", "service_late_below": "85"}, "Late must not be above watch (80)"),
        (
            {"average_wait_watch_seconds": "60", "average_wait_late_seconds": "30"},
            "Late must not be below watch (1:00)",
        ),
        ({"waiting_late": "٣"}, "Write a whole number."),
        ({"waiting_watch": "5", "waiting_late": "4"}, "Late must not be below watch (5)"),
        ({"longest_wait_watch_seconds": "3:00"}, "Late must not be below watch (3:00)"),
        ({"available_watch_below": "2", "available_late_below": "3"}, "Late must not be above watch (2)"),
    ],
)
def test_nonsense_is_marked_and_nothing_is_saved(
    client: Client, sales: Queue, bounds: dict[str, str], sentence: str
) -> None:
    answer = client.post("/targets/", posted(sales, **{"default_waiting_watch": "3", **bounds}))

    assert answer.status_code == 400
    assert sentence in answer.content.decode()
    assert Target.objects.get().waiting_watch is None


@pytest.mark.parametrize(
    ("bounds", "marked"),
    [
        ({"waiting_watch": "5", "waiting_late": "4"}, ["waiting_watch", "waiting_late"]),
        ({"longest_wait_late_seconds": "0:30"}, ["longest_wait_late_seconds"]),  # its watch is inherited
        ({"waiting_watch": "x", "waiting_late": "0"}, ["waiting_watch"]),
    ],
)
def test_the_cells_that_are_wrong_are_marked(
    client: Client, sales: Queue, bounds: dict[str, str], marked: list[str]
) -> None:
    rows = client.post("/targets/", posted(sales, **bounds)).context["rows"]

    cells = [cell for row in rows for cell in row.cells if cell.is_wrong]
    assert [cell.field_name for cell in cells] == [f"q{sales.pk}-{name}" for name in marked]
    assert [cell.is_first_wrong for cell in cells] == [True, False][: len(cells)]
    assert {cell.error_id for cell in cells} == {f"q{sales.pk}-{marked[-1]}-error"}


def test_two_people_do_not_overwrite_each_other_unseen(client: Client, sign_in: SignIn, sales: Queue) -> None:
    mine = posted(sales, waiting_late="7")
    sign_in("administrator").post("/targets/", posted(sales, default_waiting_late="9"))

    answer = client.post("/targets/", mine)

    assert "Somebody else changed targets meanwhile." in answer.content.decode()
    assert Target.objects.get().waiting_late == 9
    shown = {cell.field_name: cell.text for row in answer.context["rows"] for cell in row.cells}
    assert (shown[f"q{sales.pk}-waiting_late"], shown["default-waiting_late"]) == ("7", "9")

    again = {name: answer.context[name] for name in ("stamp", "made_from")}
    client.post("/targets/", shown | again | {"act": "save"})

    assert dict(Target.objects.values_list("queue__number", "waiting_late")) == {None: 9, "501": 7}
