"""All targets in one table: inherited bounds, a preview of today before saving, and nothing lost between two people."""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.test import Client

from accounts.models import AuditEntry, Domain
from tests.boards.conftest import SignIn
from wallboard.queues.hours import timetables
from wallboard.queues.hours.timetables import Timetable, read_ranges
from wallboard.queues.models import Hours, Queue, Sample, Target
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
    for name, text in bounds.items():
        row, _, column = name.partition("_") if name.startswith("default_") else (f"q{sales.pk}", "", name)
        cells[f"{row}-{column}"] = text
    return {"act": act, "stamp": table.stamp(sales.domain), **cells}


def test_a_bound_of_a_queue_is_kept_and_an_empty_one_inherited(client: Client, sales: Queue) -> None:
    answer = client.post("/targets/", posted(sales, longest_wait_late_seconds="3:00", available_late_below="2"))

    assert answer.status_code == 302
    assert levels.standards(sales.domain_id).of("501").as_document() == {
        "longest_wait": [60, 180], "waiting": [None, None], "available_below": [None, 2],
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
    assert 'value="7"' in answer.content.decode()


def saved(client: Client, **fields: str) -> Any:
    return client.post("/targets/hours/", {"kind": "own", **fields})


def test_hours_are_kept_for_the_company_and_for_a_queue(client: Client, sales: Queue) -> None:
    saved(client, day0="8-12, 13-17", closed_days="2026-12-25 Christmas", counts_outside="on")
    saved(client, queue="501", day6="22:00-06:00", keeps_closed_days="on")

    company, own = Hours.objects.order_by("pk")
    assert (company.week[0], company.closed_days) == ([[480, 720], [780, 1020]], [["2026-12-25", "Christmas"]])
    assert (company.counts_outside, own.week[6], own.keeps_closed_days) == (True, [[1320, 360]], True)
    assert 'value="08:00–12:00, 13:00–17:00"' in client.get("/targets/hours/").content.decode()
    assert client.get("/targets/hours/?queue=501").context["form"]["kind"].value() == "own"
    saved(client, queue="501", kind="inherited")
    saved(client, day0="", closed_days="")
    assert not Hours.objects.exists()


def test_a_queue_can_be_open_always_beside_a_company_with_hours(client: Client, sales: Queue) -> None:
    saved(client, day0="8-17")
    saved(client, queue="501", kind="always")

    assert client.get("/targets/hours/?queue=501").context["form"]["kind"].value() == "always"
    assert client.get("/targets/hours/?queue=501").context["is_open"] is True


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"day2": "9 till 5"}, "is no range. Write it like"),
        ({"closed_days": "25.12."}, "is no date. Write it like"),
        ({"queue": "501"}, "Write when the queue is open on at least one day"),
    ],
)
def test_hours_that_make_no_sense_are_marked(
    client: Client, sales: Queue, fields: dict[str, str], sentence: str
) -> None:
    answer = saved(client, **fields)

    assert answer.status_code == 400
    assert sentence in answer.content.decode()
    assert not Hours.objects.exists()


def test_eight_to_five_is_asked_about_and_saved_as_it_was_meant(client: Client, sales: Queue) -> None:
    typed = {"day0": "8 to 5", "day1": "8-17", "day4": "7.30-12, 13-4", "closed_days": "2026-12-25 Christmas"}

    asked = saved(client, **typed)
    page = asked.content.decode()
    confirmed = saved(client, **typed, next_morning=asked.context["form"].confirmation)

    assert (asked.status_code, asked.context["form"].nights) == (400, ["Monday 08:00–05:00", "Friday 13:00–04:00"])
    assert "Closes at 05:00 of the next day? Then confirm it below. For the afternoon write 08:00–17:00." in page
    assert all(f'value="{each}"' in page for each in ("8 to 5", "8-17", "7.30-12, 13-4"))
    assert "2026-12-25 Christmas</textarea>" in page
    assert page.count("autofocus") == 1
    assert confirmed.status_code == 302
    assert Hours.objects.get().week[4] == [[450, 720], [780, 240]]


def test_a_confirmation_is_good_for_what_it_names_only(client: Client, sales: Queue) -> None:
    good_for = saved(client, day0="8-5").context["form"].confirmation

    other = saved(client, day0="8-5", day1="9-6", next_morning=good_for)

    assert other.status_code == 400
    assert list(other.context["form"].errors) == ["day1"]
    assert not Hours.objects.exists()


@pytest.mark.parametrize("text", ["22:00-06:00", "18-2", "8-0", "8-24", "13-1"])
def test_a_night_and_midnight_are_not_asked_about(client: Client, sales: Queue, text: str) -> None:
    assert saved(client, day0=text).status_code == 302


def test_hours_that_were_confirmed_once_are_not_asked_about_again(client: Client, sales: Queue) -> None:
    saved(client, day0="8-5", next_morning=saved(client, day0="8-5").context["form"].confirmation)

    assert saved(client, day0="8-5", day1="9-17").status_code == 302
    assert saved(client, day1="8-5").status_code == 400


def test_hours_of_a_queue_that_is_not_ours_are_not_found(client: Client, sales: Queue) -> None:
    assert client.get("/targets/hours/?queue=999").status_code == 404
    assert client.get("/targets/hours/?queue=5%0001").status_code == 400
