"""The trends of a report: each queue beside its target, on one scale, and none drawn that has nothing to show."""

from datetime import timedelta

from accounts.models import Domain
from tests.reports.test_day_figures import DAY, NOON, ZONE, queues, sample
from wallboard.queues.models import Queue, Sample, Target
from wallboard.queues.targets import levels
from wallboard.reports import day_figures, hour_figures, trends
from wallboard.reports.figures import AVERAGE, LATE, LONGEST, MOST, NOBODY, Figure
from wallboard.reports.period_parts import Period
from wallboard.reports.trends import HEIGHT, ROOM_ABOVE, TOP, Trend

__all__ = ["queues"]


def made(domain: Domain, queues: list[Queue], period: Period, figure: Figure) -> tuple[list[Trend], list[Queue]]:
    hours = hour_figures.by_queue(queues, period)
    values = {each: trends.values_by_hour(hours, each) for each in (LONGEST, AVERAGE, MOST, NOBODY)}
    return trends.trends(queues, values, figure, levels.standards(domain.pk), period)


def test_an_hour_at_its_target_reaches_the_line_and_is_over(domain: Domain, queues: list[Queue]) -> None:
    Target.objects.create(domain=domain, longest_wait_late_seconds=60)
    sample(queues[0], NOON, waiting=6)
    sample(queues[0], NOON + timedelta(hours=1), waiting=3)
    sample(queues[1], NOON, waiting=12)

    [trend, other], empty = made(domain, queues, DAY, LATE)

    assert (trend.figure, trend.target, trend.most, empty) == (LONGEST, "1:00", "longest wait 1:00, 12:00", [])
    assert [(bar.words, bar.is_over) for bar in trend.bars] == [("12:00: 1:00", True), ("13:00: 0:30", False)]
    assert trend.bars[0].y == trend.target_y
    assert other.bars[0].height == round(HEIGHT / ROOM_ABOVE, 2)
    assert other.bars[0].y >= TOP
    assert len(trend.gaps) == 22
    assert [tick.name for tick in trend.ticks] == ["00:00", "06:00", "12:00", "18:00"]


def test_a_queue_whose_target_is_about_callers_shows_callers(domain: Domain, queues: list[Queue]) -> None:
    Target.objects.create(domain=domain, queue=queues[0], waiting_late=5)
    for queue in queues:
        sample(queue, NOON, waiting=6)

    [own, other], _ = made(domain, queues, DAY, LATE)

    assert (own.figure, own.target, own.bars[0].is_over) == (MOST, "5", True)
    assert (other.figure, other.target, other.target_y) == (LONGEST, "", None)


def test_a_queue_whose_target_is_about_the_average_wait_shows_that(domain: Domain, queues: list[Queue]) -> None:
    Target.objects.create(domain=domain, queue=queues[0], average_wait_late_seconds=45, waiting_late=5)
    sample(queues[0], NOON, waiting=6)
    sample(queues[0], NOON + timedelta(minutes=1), waiting=6)
    Sample.objects.filter(minute=NOON).update(average_wait_seconds=44.8)

    [own], _ = made(domain, queues[:1], DAY, LATE)

    assert (own.figure, own.target, own.most) == (AVERAGE, "0:45", "average wait up to 0:45, 12:00")
    assert own.bars[0].is_over


def test_queues_with_nothing_to_show_are_named_instead(domain: Domain, queues: list[Queue]) -> None:
    sample(queues[0], NOON, waiting=1)
    sample(queues[1], NOON, waiting=0)

    drawn, empty = made(domain, queues, DAY, LONGEST)

    assert ([trend.queue for trend in drawn], empty) == ([queues[0]], [queues[1]])


def test_a_week_goes_hour_by_hour_and_a_month_day_by_day(domain: Domain, queues: list[Queue]) -> None:
    week = Period(DAY.first - timedelta(days=6), DAY.last, ZONE)
    month = Period(DAY.first - timedelta(days=29), DAY.last, ZONE)
    sample(queues[0], NOON, waiting=7)

    [by_hour], _ = made(domain, queues[:1], week, MOST)
    values = {MOST: trends.values_by_day(day_figures.by_part(domain, month), month, MOST)}
    [by_day], _ = trends.trends(queues[:1], values, MOST, levels.standards(domain.pk), month)

    assert (by_hour.most, len(by_hour.gaps)) == ("at most 7 waiting, Wed, 12:00", 7 * 24 - 1)
    assert [tick.name for tick in by_hour.ticks] == ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    assert (by_day.most, len(by_day.gaps)) == ("at most 7 waiting, Wed 4 Mar", 29)
    assert len(by_day.ticks) == 6


def test_only_the_queues_with_the_most_trouble_are_drawn(domain: Domain) -> None:
    many = [Queue.objects.create(domain=domain, number=str(600 + index), order=index) for index in range(30)]
    for index, queue in enumerate(many):
        sample(queue, NOON, late=60 if index in (3, 20) else 0, waiting=index + 1)

    worst = trends.worst(day_figures.by_queue(domain, DAY))

    assert len(worst) == trends.MOST_TRENDS
    assert worst == [many[3], *many[19:]]
