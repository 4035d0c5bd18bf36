"""The sentences at the head of a report say what mattered, and no more than is known."""

from dataclasses import replace
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from django.utils.html import strip_tags

from wallboard.queues.models import Queue
from wallboard.queues.targets.levels import Standards, Targets
from wallboard.reports.day_figures import QueueFigures
from wallboard.reports.period_parts import Period
from wallboard.reports.summary import summary

Moment = datetime | None
ZONE = ZoneInfo("Europe/Berlin")
WEEK = Period(date(2026, 3, 2), date(2026, 3, 8), ZONE)
MONDAY = Period(WEEK.first, WEEK.first, ZONE)
AFTER = datetime(2026, 3, 9, 9, tzinfo=ZONE)
ALL = Standards(Targets((60, 120)), {})
QUEUES = [
    Queue(pk=pk, number=str(500 + pk), name=name) for pk, name in enumerate(("Support", "Sales", "Billing", "Orders"))
]


def row(index: int, late: int = 0, longest: int = 30, measured: int = 10_080, at: Moment = None) -> QueueFigures:
    return QueueFigures(QUEUES[index], at, late, 0, 0, 3, longest, measured)


def parts(period: Period, index: int, *late: int) -> list[QueueFigures]:
    """A queue's minutes by day, or by hour of a single day from eight on."""
    begin, step = period.begin, timedelta(days=1)
    if period.is_one_day:
        begin, step = begin + timedelta(hours=8), timedelta(hours=1)
    return [row(index, each, at=begin + place * step) for place, each in enumerate(late)]


def text(
    totals: list[QueueFigures], some: list[QueueFigures], period: Period = WEEK, standards: Standards = ALL
) -> str:
    return strip_tags(" ".join(summary(totals, some, standards, period, AFTER)))


def test_the_worst_queue_is_named_with_the_day_on_which_it_was_late() -> None:
    totals = [row(0, 375), row(1), row(2)]

    told = text(totals, parts(WEEK, 0, 300, 75))

    assert told == "Support was late for 375 minutes, most of them on Monday. The other 2 queues kept their targets."


def test_a_queue_that_was_beyond_its_target_for_seconds_or_before_it_was_set_has_not_kept_it() -> None:
    assert text([row(0, longest=140), row(1)], []) == "The longest wait was 2:20, in Support."
    assert text([row(0, 12), row(1, longest=900)], []) == "Support was late for 12 minutes."


def test_minutes_on_one_day_need_no_most_of_them_and_others_are_told_too() -> None:
    totals = [row(0, 1), row(1, 12)]

    told = text(totals, parts(WEEK, 1, 0, 12) + parts(WEEK, 0, 1))

    assert told == "Sales was late for 12 minutes, on Tuesday. Support was late for 1 minute."


def test_minutes_that_are_spread_are_not_said_to_be_on_one_day() -> None:
    even = text([row(0, 30), row(1, 4), row(2, 5)], parts(WEEK, 0, 10, 12, 8))
    uneven = text([row(0, 30)], parts(WEEK, 0, 5, 13, 4, 4, 4))

    assert even == (
        "Support was late for 30 minutes, spread over 3 days. 2 other queues were late, too, for 9 minutes together."
    )
    assert uneven == "Support was late for 30 minutes, most of all on Tuesday."


def test_a_single_day_is_told_by_its_hours_and_a_month_by_its_dates() -> None:
    month = replace(WEEK, first=date(2026, 2, 7))

    assert text([row(0, 35)], parts(MONDAY, 0, 0, 0, 30, 5), MONDAY) == (
        "Support was late for 35 minutes, most of them from 10:00 to 11:00."
    )
    assert "most of them on Sunday 8 February." in text([row(0, 35)], parts(month, 0, 5, 30), month)


def test_a_good_week_says_so_with_its_longest_wait() -> None:
    good = text([row(0), row(1, longest=100)], [])

    assert good == "All 2 queues kept their targets. The longest wait was 1:40, in Sales."

    assert text([row(0, longest=0)], []) == "Support kept its target. Nobody waited."


def test_queues_without_a_target_have_kept_none() -> None:
    some = Standards(Targets(), {"500": Targets((60, 120)), "501": Targets(waiting=(3, 5))})

    assert text([row(0), row(1), row(2)], [], standards=some).startswith("All 2 queues with a target kept it.")
    assert text([row(2)], [], standards=some).startswith("No queue has a target, so none can be over it.")


def test_too_little_is_not_judged() -> None:
    assert text([], []) == "Nothing was measured on these days."
    assert text([row(0, 5, measured=12)], parts(WEEK, 0, 5)) == "Only 12 minutes measured: too little to judge."


def test_long_gaps_are_told_and_the_hours_to_come_are_none() -> None:
    assert text([row(0, measured=1_200)], []).endswith("Only 20 of 168 hours were measured.")


def test_days_on_which_clocks_change_have_the_hours_that_they_have() -> None:
    shorter, longer = (Period(day, day, ZONE) for day in (date(2025, 3, 30), date(2025, 10, 26)))

    assert text([row(0, measured=300)], [], shorter).endswith("Only 5 of 23 hours were measured.")
    assert text([row(0, measured=300)], [], longer).endswith("Only 5 of 25 hours were measured.")
    morning = replace(MONDAY, first=AFTER.date(), last=AFTER.date())
    assert "measured" not in text([row(0, measured=500)], [], morning)


def test_names_are_text_and_keep_their_direction() -> None:
    odd = Queue(pk=9, number="509", name="<b>{x}</b> مبيعات")

    [first] = summary([replace(row(0, 375), queue=odd)], [], ALL, WEEK, AFTER)

    assert first == "<bdi>&lt;b&gt;{x}&lt;/b&gt; مبيعات</bdi> was late for 375 minutes."
