"""What mattered in a report, in one or two sentences at its head."""

from collections.abc import Sequence
from datetime import UTC, datetime

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.company_day import clock_text
from wallboard.desk.time_phrases import duration
from wallboard.queues.targets.levels import Standards
from wallboard.reports.day_figures import QueueFigures
from wallboard.reports.period_parts import HOUR, Period, Wall, day_name, wall

LEAST_MINUTES = 60  # measured; with less no week and no day can be judged
MOST_OF = 0.5  # of the minutes over target: what is more is "most of them"
STANDS_OUT = 2  # times the average of the days or hours with any
WORTH_SAYING = 0.5  # of the time so far: where less was measured, the reader must know


def summary(
    totals: Sequence[QueueFigures], parts: Sequence[QueueFigures], standards: Standards, period: Period, now: datetime
) -> list[SafeString]:
    """The sentences, the most important first; names of queues stand in <bdi>."""
    measured = max((row.measured_minutes for row in totals), default=0)
    if not measured:
        return [_html(_("Nothing was measured on these days."))]
    if measured < LEAST_MINUTES:
        return [_html(_("Only {minutes} measured: too little to judge."), minutes=_minutes(measured))]
    late = sorted((row for row in totals if row.late_minutes), key=lambda row: -row.late_minutes)
    found = _of_late(late, parts, period) if late else []
    return [*found, *_of_others(totals, late, standards), *_of_gaps(measured, period, now)]


def _of_late(late: Sequence[QueueFigures], parts: Sequence[QueueFigures], period: Period) -> list[SafeString]:
    """The queue with the most minutes over target, and when; then the others that were late."""
    worst, *others = late
    found = [_worst(worst, parts, period)]
    if len(others) == 1:
        text = _("{queue} was late for {minutes}.")
        found.append(_html(text, queue=others[0].queue, minutes=_minutes(others[0].late_minutes)))
    elif others:
        minutes = _minutes(sum(row.late_minutes for row in others))
        text = ngettext(
            "{n} other queue was late, too, for {minutes} together.",
            "{n} other queues were late, too, for {minutes} together.",
            len(others),
        )
        found.append(_html(text, n=len(others), minutes=minutes))
    return found


def _worst(worst: QueueFigures, parts: Sequence[QueueFigures], period: Period) -> SafeString:
    """One queue with where most of its minutes lie: on one day, or in one hour of a single day."""
    values: dict[str, object] = {"queue": worst.queue, "minutes": _minutes(worst.late_minutes)}
    own = [row for row in parts if row.queue == worst.queue and row.late_minutes]
    top = max(own, key=lambda row: row.late_minutes, default=None)
    if top is None or top.at is None:
        return _html(_("{queue} was late for {minutes}."), **values)
    values |= {"when": _when(wall(top.at, period), period), "n": len(own)}
    if len(own) == 1:
        text = _("{queue} was late for {minutes}, {when}.")
    elif top.late_minutes > MOST_OF * worst.late_minutes:
        text = _("{queue} was late for {minutes}, most of them {when}.")
    elif top.late_minutes * len(own) < STANDS_OUT * worst.late_minutes:
        text = _spread(len(own), period)
    else:
        text = _("{queue} was late for {minutes}, most of all {when}.")
    return _html(text, **values)


def _spread(count: int, period: Period) -> str:
    if period.is_one_day:
        return ngettext(
            "{queue} was late for {minutes}, spread over {n} hour.",
            "{queue} was late for {minutes}, spread over {n} hours.",
            count,
        )
    return ngettext(
        "{queue} was late for {minutes}, spread over {n} day.",
        "{queue} was late for {minutes}, spread over {n} days.",
        count,
    )


def _when(begin: Wall, period: Period) -> str:
    if not period.is_one_day:
        return _("on %(day)s") % {"day": day_name(begin, period)}
    times = {"first": clock_text(period.clock, begin), "last": clock_text(period.clock, begin + HOUR)}
    return _("from %(first)s to %(last)s") % times


def _minutes(count: int) -> str:
    return ngettext("%(n)s minute", "%(n)s minutes", count) % {"n": count}


def _of_others(totals: Sequence[QueueFigures], late: Sequence[QueueFigures], standards: Standards) -> list[SafeString]:
    """The queues that kept their targets, and the longest wait where nobody was late."""
    with_target = [row for row in totals if standards.of(row.queue.number).makes_levels]
    if any(_is_hidden(row, standards) for row in with_target):
        return []
    kept = [row for row in with_target if row not in late]
    if not with_target and not late:
        return [_html(_("No queue has a target, so none can be over it.")), *_longest(totals)]
    if not kept:
        return []
    if any(_went_beyond(row, standards) for row in kept):
        return [] if late else _longest(totals)
    return _kept(kept, late, len(with_target) == len(totals)) + ([] if late else _longest(totals))


def _is_hidden(row: QueueFigures, standards: Standards) -> bool:
    """Whether it has a target for a wait that must not be shown: nobody can say whether it was kept."""
    targets = standards.of(row.queue.number)
    by_longest = row.longest_wait_seconds is None and targets.longest_wait != (None, None)
    return by_longest or (row.average_wait_seconds is None and targets.average_wait != (None, None))


def _went_beyond(row: QueueFigures, standards: Standards) -> bool:
    """Whether it was beyond a target of now without a minute that is late: for some seconds, outside its hours, or
    before there was that target.
    """
    targets = standards.of(row.queue.number)
    reached = (
        (row.longest_wait_seconds, targets.longest_wait),
        (row.average_wait_seconds, targets.average_wait),
        (row.most_waiting, targets.waiting),
    )
    return any(most is not None and late is not None and most >= late for most, (_watch, late) in reached)


def _kept(kept: Sequence[QueueFigures], late: Sequence[QueueFigures], is_all: bool) -> list[SafeString]:
    if len(kept) == 1:
        return [_html(_("{queue} kept its target."), queue=kept[0].queue)]
    if late:
        text = ngettext("The other queue kept its target.", "The other {n} queues kept their targets.", len(kept))
    elif is_all:
        text = ngettext("The one queue kept its target.", "All {n} queues kept their targets.", len(kept))
    else:
        text = ngettext("The one queue with a target kept it.", "All {n} queues with a target kept it.", len(kept))
    return [_html(text, n=len(kept))]


def _longest(totals: Sequence[QueueFigures]) -> list[SafeString]:
    top = max(totals, key=lambda row: row.longest_wait_seconds or 0)
    if not top.longest_wait_seconds:
        is_known = all(row.longest_wait_seconds is not None for row in totals)
        return [_html(_("Nobody waited."))] if is_known else []
    text = _("The longest wait was {wait}, in {queue}.")
    return [_html(text, wait=duration(top.longest_wait_seconds), queue=top.queue)]


def _of_gaps(measured: int, period: Period, now: datetime) -> list[SafeString]:
    """Where much of the time was not measured."""
    # In UTC: moments of one zone are subtracted as the clock on the wall shows them, which a change of clocks moves.
    so_far = (min(period.end, now).astimezone(UTC) - period.begin.astimezone(UTC)).total_seconds() / 60
    if measured >= WORTH_SAYING * so_far:
        return []
    text = _("Only {measured} of {hours} hours were measured.")
    return [_html(text, measured=max(1, round(measured / 60)), hours=round(so_far / 60))]


def _html(text: str, **values: object) -> SafeString:
    """The text with its values; a queue's name keeps its own direction."""
    if not values:
        return escape(text)
    shown = {name: format_html("<bdi>{}</bdi>", value) if name == "queue" else value for name, value in values.items()}
    return format_html(text, **shown)
