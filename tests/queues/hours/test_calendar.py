"""When a queue is open: weekdays, several ranges, past midnight, closed days, and the two days on which clocks turn."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from accounts.models import AuditEntry, Domain
from tests.queues.conftest import Read, row
from wallboard.queues import samples
from wallboard.queues.hours import calendar, timetables
from wallboard.queues.hours.calendar import Times
from wallboard.queues.hours.timetables import BadHours, Timetable, read_days, read_ranges, shown_days, shown_ranges
from wallboard.queues.models import Hours, PollState, Queue, Reading, Sample

BERLIN = ZoneInfo("Europe/Berlin")
OFFICE = read_ranges("08:00-12:00, 13:00-17:00")


@pytest.fixture
def domain(domain: Domain) -> Domain:
    domain.time_zone = "Europe/Berlin"
    domain.save()
    return domain


def week(**days: str) -> tuple[tuple[tuple[int, int], ...], ...]:
    names = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
    return tuple(read_ranges(days.get(name, "")) for name in names)


def at(text: str, fold: int = 0) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=BERLIN, fold=fold)


def opens(domain: Domain, text: str, number: str = "8001", fold: int = 0) -> bool:
    return calendar.schedule(domain).is_open(number, at(text, fold))


def test_without_hours_it_is_always_open(domain: Domain) -> None:
    assert opens(domain, "2026-11-22 03:00")


def test_ranges_of_a_weekday(domain: Domain) -> None:
    timetables.set_hours(domain, None, Timetable(week(mon="8-12, 13-17")))

    found = [opens(domain, f"2026-11-23 {time}") for time in ("07:59", "08:00", "11:59", "12:30", "16:59", "17:00")]
    assert found == [False, True, True, False, True, False]
    assert not opens(domain, "2026-11-24 09:00")


def test_the_companys_zone_decides(domain: Domain) -> None:
    timetables.set_hours(domain, None, Timetable(week(mon="08:00-17:00")))

    assert calendar.schedule(domain).is_open("8001", datetime(2026, 11, 23, 7, 30, tzinfo=UTC))
    assert not calendar.schedule(domain).is_open("8001", datetime(2026, 11, 23, 16, 30, tzinfo=UTC))


def test_a_range_over_midnight_belongs_to_the_day_it_begins(domain: Domain) -> None:
    timetables.set_hours(domain, None, Timetable(week(sun="22:00-06:00"), (("2026-11-29", "Advent"),)))

    assert [opens(domain, f"2026-11-{day}") for day in ("22 21:59", "22 22:00", "23 05:59", "23 06:00")] == [
        False, True, True, False,
    ]  # fmt: skip
    assert not opens(domain, "2026-11-29 23:00")
    assert not opens(domain, "2026-11-30 05:00")


def test_the_clock_on_the_wall_counts_when_clocks_turn(domain: Domain) -> None:
    timetables.set_hours(domain, None, Timetable(week(sun="02:30-04:00")))

    assert [opens(domain, "2026-10-25 02:45", fold=fold) for fold in (0, 1)] == [True, True]
    assert [opens(domain, "2026-10-25 02:15", fold=fold) for fold in (0, 1)] == [False, False]
    skipped = datetime(2026, 3, 29, 1, 0, tzinfo=UTC)  # 03:00 in Berlin, right after 01:59
    kept = calendar.schedule(domain)
    assert [kept.is_open("8001", at) for at in (skipped - timedelta(minutes=1), skipped)] == [False, True]


def test_a_queue_has_hours_of_its_own(domain: Domain) -> None:
    night, day = (Queue.objects.create(domain=domain, number=number) for number in ("8001", "8002"))
    timetables.set_hours(domain, None, Timetable(week(mon="8-17"), (("2026-11-23", ""),)))
    timetables.set_hours(domain, night, Timetable(keeps_closed_days=False))
    timetables.set_hours(domain, day, Timetable(week(mon="8-20", tue="8-20")))

    assert opens(domain, "2026-11-23 03:00", "8001")
    assert not opens(domain, "2026-11-23 18:00", "8002")
    assert opens(domain, "2026-11-24 18:00", "8002")
    assert not opens(domain, "2026-11-30 18:00", "8003")
    timetables.drop_hours(domain, day)
    assert not opens(domain, "2026-11-24 18:00", "8002")


def test_closed_days_alone_close_whole_days(domain: Domain) -> None:
    timetables.set_hours(domain, None, Timetable(closed_days=read_days("2026-12-25 Christmas\n2026-12-25 again")))

    assert [opens(domain, f"2026-12-{day}") for day in ("24 23:59", "25 00:00", "25 23:59", "26 00:00")] == [
        True, False, False, True,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("08:00–12:00, 13:00–17:00", "08:00–12:00, 13:00–17:00"),
        ("13-17; 8.30 to 12", "08:30–12:00, 13:00–17:00"),
        ("22:00-6:00", "22:00–06:00"),
        ("0-24", "00:00–24:00"),
        ("", ""),
    ],
)
def test_hours_are_read_as_people_write_them(text: str, kept: str) -> None:
    assert shown_ranges(read_ranges(text)) == kept
    assert read_ranges(kept) == read_ranges(text)


@pytest.mark.parametrize(
    "text", ["8", "8-25", "8:60-9", "9-9", "24:00-3", "8-12, 11-13", "18-2, 20-22", "nine to five", "1-2,3-4," * 4]
)
def test_nonsense_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(BadHours, match=r"\.$"):
        read_ranges(text)


@pytest.mark.parametrize("text", ["25.12.2026", "2026-02-30", "Christmas", "2026-12-25\n" * 201])
def test_a_day_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(BadHours, match=r"\.$"):
        read_days(text)


def test_days_are_shown_as_they_are_read() -> None:
    text = "2026-12-25 Christmas\n2027-01-01"

    assert shown_days(read_days(text)) == text


def test_changes_are_noted_and_no_change_is_not(domain: Domain) -> None:
    wish = Timetable(((OFFICE),) * 7, (("2026-12-25", "Christmas"),))
    timetables.set_hours(domain, None, wish)
    timetables.set_hours(domain, None, wish)
    timetables.drop_hours(domain, None)
    timetables.drop_hours(domain, None)

    assert list(AuditEntry.objects.order_by("pk").values_list("what", "about")) == [
        ("hours changed", "every queue"),
        ("hours dropped", "every queue"),
    ]
    assert timetables.timetable_of(Hours(week=[[list(each) for each in OFFICE]] * 7)).week == wish.week


@pytest.mark.parametrize(
    ("moment", "opens"),
    [
        ("2026-12-24T07:00", "2026-12-24T08:00"),
        ("2026-12-24T12:30", "2026-12-24T13:00"),
        ("2026-12-24T18:00", "2026-12-28T08:00"),  # over a holiday and a weekend
    ],
)
def test_a_closed_queue_tells_when_it_opens(moment: str, opens: str) -> None:
    days = ((480, 720), (780, 1020))
    times = Times((days, days, days, days, days, (), ()), frozenset({date(2026, 12, 25)}))

    assert times.opens_after(datetime.fromisoformat(moment)) == datetime.fromisoformat(opens)
    assert Times(((),) * 7, frozenset()).opens_after(datetime.fromisoformat(moment)) is not None
    never = frozenset(date(2026, 12, 1) + timedelta(days=step) for step in range(90))
    assert Times((days,) * 7, never).opens_after(datetime.fromisoformat(moment)) is None


def closed_now(domain: Domain, *, counts_outside: bool = False) -> None:
    """Hours that leave out the day on which the test runs, and both of its neighbours."""
    today = datetime.now(BERLIN).date()
    days = tuple(((today + timedelta(days=step)).isoformat(), "") for step in (-1, 0, 1))
    timetables.set_hours(domain, None, Timetable(closed_days=days, counts_outside=counts_outside))


def test_a_closed_queue_is_not_late_and_says_why(domain: Domain, read: Read) -> None:
    assert read(row("8001", 3, 300)).figures["8001"][1]["level"] == "late"
    closed_now(domain)

    document = read(row("8001", 3, 300)).figures["8001"][1]

    assert (document["level"], document["reason"], document["waiting"]) == ("normal", "closed", 3)
    midnight = datetime.combine(datetime.now(BERLIN).date() + timedelta(days=2), time(), BERLIN)
    assert document["opens_at"] == midnight.timestamp() * 1000
    assert Reading.objects.latest("read_at").figures["8001"][5] == "closed"


@pytest.mark.parametrize(("counts", "seconds"), [(False, 0.0), (True, 60.0)])
def test_time_over_target_counts_outside_only_where_asked(
    domain: Domain, read: Read, counts: bool, seconds: float
) -> None:
    closed_now(domain, counts_outside=counts)
    read(row("8001", 3, 300, available=0))
    reading = Reading.objects.get()
    begin = datetime.now(UTC).replace(second=0, microsecond=0) - timedelta(minutes=3)
    figures = reading.figures
    Reading.objects.all().delete()
    for second in range(0, 60, 2):
        Reading.objects.create(domain=domain, read_at=begin + timedelta(seconds=second), figures=figures)
    PollState.objects.update(rolled_until=None)
    domain.poll_seconds = 2
    domain.save()

    samples.roll(domain)

    sample = Sample.objects.earliest("minute")
    assert (sample.late_seconds, sample.nobody_seconds) == (seconds, seconds)


def test_a_company_whose_time_zone_is_none_has_the_hours_of_utc() -> None:
    open_at_nine = calendar.Schedule("Nowhere/None", calendar.Times((((9 * 60, 10 * 60),),) * 7))

    assert [open_at_nine.is_open("501", datetime(2026, 3, 4, at, 30, tzinfo=UTC)) for at in (8, 9)] == [False, True]
