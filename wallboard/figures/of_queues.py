"""Figures of queues as they are now, of boards that add them up, of targets, and of alerts."""

from django.utils.translation import gettext_lazy as _

from wallboard.figures.figure import Figure, Kind
from wallboard.figures.phrases import (
    AVERAGE,
    CALLERS,
    CALLS,
    COUNT,
    EVENTS,
    LISTED,
    LONGEST,
    MINUTES,
    NOW,
    ONE_CALL_ID,
    OWN,
    PEOPLE,
    READINGS,
    SAMPLES,
    TIME,
    TODAY,
    WHOLE,
)

M, D, E = Kind.MEASURED, Kind.DERIVED, Kind.ESTIMATED
FIGURES = {
    "queue.waiting": Figure(
        _("Callers waiting"), M, _("Callers waiting as the provider counts them."), NOW, CALLERS, READINGS
    ),
    "queue.longest": Figure(
        _("Longest wait"),
        M,
        _("The provider's longest wait; it counts on here between two readings while somebody waits."),
        NOW,
        TIME,
        READINGS,
        assumes=LONGEST,
    ),
    "queue.average": Figure(
        _("Average wait so far"),
        M,
        _("The provider's average of how long those who wait now have waited so far."),
        NOW,
        TIME,
        READINGS,
        assumes=AVERAGE,
    ),
    "queue.agents": Figure(
        _("Available"),
        M,
        _("Agents that the provider calls available. They may be on another call."),
        NOW,
        PEOPLE,
        READINGS,
    ),
    "queue.now": Figure(
        _("A queue in small"),
        M,
        _("Callers waiting and their longest wait, as the provider tells them."),
        NOW,
        _("callers; minutes and seconds"),
        READINGS,
        wants=LONGEST,
    ),
    "queue.trend": Figure(
        _("Line and strip"),
        D,
        _("Line: callers waiting in the last hour. Strip: the last day by quarter hour, tallest where it was late."),
        _("last hour; last day"),
        _("callers; levels"),
        SAMPLES,
        wants=LONGEST,
    ),
    "queue.late_today": Figure(
        _("Minutes late or on watch"),
        D,
        _("How long the queue was late or on watch by the targets in force, added up from seconds."),
        TODAY,
        MINUTES,
        SAMPLES,
        wants=LONGEST,
    ),
    "queue.late_preview": Figure(
        _("Minutes with other targets"),
        E,
        _(
            "A minute whose level would change counts whole, by its longest wait, its most callers and its fewest"
            " available agents."
        ),
        TODAY,
        MINUTES,
        SAMPLES,
        wants=LONGEST,
    ),
    "sum.waiting": Figure(_("Waiting now"), M, _("Sum over the queues of this board."), NOW, CALLERS, READINGS),
    "sum.longest": Figure(
        _("Longest wait"),
        M,
        _("The longest wait of all queues of this board."),
        NOW,
        TIME,
        READINGS,
        assumes=LONGEST,
    ),
    "sum.average": Figure(
        _("Average wait so far"),
        M,
        _("How long those who wait now have waited so far: the queues' averages, weighted by how many wait in each."),
        NOW,
        TIME,
        READINGS,
        assumes=AVERAGE,
    ),
    "sum.late": Figure(
        _("Minutes with a queue over target"),
        D,
        _(
            "Minutes since the company's day began in which at least one queue of this board was late; a minute in"
            " which several were late counts once. Reports count each queue by itself."
        ),
        TODAY,
        MINUTES,
        SAMPLES,
        wants=LONGEST,
    ),
    "sum.unanswered": Figure(
        _("Unanswered today"),
        D,
        _("Calls from outside since the company's day began that ended before a person answered; {of} ended in all."),
        TODAY,
        CALLS,
        EVENTS,
        assumes=ONE_CALL_ID,
        wants=WHOLE,
    ),
    "board.state": Figure(
        _("How the board stands"),
        D,
        _("How many queues are late or on watch, and since when, by the targets in force."),
        NOW,
        _("queues; time"),
        READINGS,
        wants=LONGEST,
    ),
    "board.freshness": Figure(
        _("How fresh the board is"),
        M,
        _("How long ago the queues were read, and how long after the provider told of a call it is here."),
        NOW,
        _("time"),
        OWN,
    ),
    "alerts.open": Figure(_("Open for"), M, _("From the moment at which it began until now."), NOW, _("time"), OWN),
    "alerts.lasted": Figure(_("Lasted"), M, _("From the moment at which it was raised to its end."), LISTED, TIME, OWN),
    "alerts.reaction": Figure(
        _("Reaction"),
        M,
        _("From the moment at which it was raised until somebody acknowledged it."),
        LISTED,
        TIME,
        OWN,
    ),
    "alerts.preview": Figure(
        _("Would have called"),
        E,
        _("How often this rule would have raised an alert, from what is stored of the past days."),
        _("the days that are named beside it"),
        COUNT,
        SAMPLES,
        wants=LONGEST,
    ),
}
