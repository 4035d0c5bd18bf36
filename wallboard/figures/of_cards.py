"""What the cards of boards show: `card.<figure>` for each figure of a card, `card.<kind>` for each kind of card."""

from django.utils.translation import gettext_lazy as _

from wallboard.figures.figure import Figure, Kind
from wallboard.figures.phrases import (
    AHEAD,
    AVERAGE,
    CALLERS,
    CALLERS_OF_QUEUES,
    CALLS,
    CALLS_OF_QUEUES,
    CHOSEN,
    EVENTS,
    LONGEST,
    MINUTES,
    NOW,
    ONE_CALL_ID,
    OWN,
    PEOPLE,
    PERCENT,
    READINGS,
    SAMPLES,
    TIME,
    WHOLE,
)

M, D, E = Kind.MEASURED, Kind.DERIVED, Kind.ESTIMATED
THEN = _("the time that is chosen on the card")
FIGURES = {
    "card.waiting": Figure(
        _("callers waiting"),
        M,
        _("Callers waiting, the sum over the queues; over a time, how many waited on average."),
        CHOSEN,
        CALLERS,
        READINGS,
    ),
    "card.longest": Figure(
        _("longest wait"),
        M,
        _(
            "The longest wait of all its queues, as the provider tells it. None where calibration finds that it is a"
            " wait of a period, or that its unit has changed."
        ),
        CHOSEN,
        TIME,
        READINGS,
        assumes=LONGEST,
    ),
    "card.average": Figure(
        _("average wait so far"),
        M,
        _(
            "How long those who were waiting had waited until then, on average over its queues. Waits that are over do"
            " not count, so callers wait longer than this in the end."
        ),
        CHOSEN,
        TIME,
        READINGS,
        assumes=AVERAGE,
    ),
    "card.available": Figure(
        _("fewest available"),
        M,
        _("The queue with the fewest available. Not added up: people serve several queues."),
        CHOSEN,
        PEOPLE,
        READINGS,
    ),
    "card.agents": Figure(
        _("fewest agents"),
        M,
        _("The queue with the fewest agents. Not added up: people serve several queues."),
        CHOSEN,
        PEOPLE,
        READINGS,
    ),
    "card.late_minutes": Figure(
        _("min with a queue over target"),
        D,
        _("Minutes in which at least one of its queues was late, added up from samples of a minute."),
        THEN,
        MINUTES,
        SAMPLES,
        wants=LONGEST,
    ),
    "card.watch_minutes": Figure(
        _("min with a queue on watch"),
        D,
        _("Minutes in which one of its queues or more was on watch, added up from samples."),
        THEN,
        MINUTES,
        SAMPLES,
        wants=LONGEST,
    ),
    "card.nobody_minutes": Figure(
        _("min nobody available"),
        D,
        _("Minutes in which callers waited in one of its queues and nobody there was available."),
        THEN,
        MINUTES,
        SAMPLES,
    ),
    "card.most_waiting": Figure(
        _("most waiting"),
        M,
        _("The most callers that waited at once in one of its queues."),
        CHOSEN,
        CALLERS,
        READINGS,
    ),
    "card.answered": Figure(
        _("answered"),
        D,
        _("Calls from outside that are over and that a person answered, from call events."),
        THEN,
        CALLS,
        EVENTS,
        assumes=ONE_CALL_ID,
        wants=WHOLE,
    ),
    "card.unanswered": Figure(
        _("unanswered"),
        D,
        _("Calls from outside that ended before a person answered, from call events."),
        THEN,
        CALLS,
        EVENTS,
        assumes=ONE_CALL_ID,
        wants=WHOLE,
    ),
    "card.service_level": Figure(
        _("service level"),
        D,
        _("Calls of its queues that are over, from call events, in percent:"),
        THEN,
        PERCENT,
        EVENTS,
        needs=CALLERS_OF_QUEUES,
    ),
    "card.left_queue": Figure(
        _("left a queue unanswered"),
        D,
        _("Callers who left a queue before a person answered, from call events. Who came to two counts in each."),
        THEN,
        CALLERS,
        EVENTS,
        needs=CALLERS_OF_QUEUES,
    ),
    "card.answer_speed": Figure(
        _("average speed of answer"),
        D,
        _(
            "How long callers whom a person answered had waited in the queue, on average, from call events. A greeting"
            " before the queue does not count."
        ),
        THEN,
        TIME,
        EVENTS,
        needs=CALLERS_OF_QUEUES,
    ),
    "card.ahead_calls": Figure(
        _("calls expected"),
        E,
        _(
            "As on the same weekday and hour of the last eight weeks, times the course of today. Four in five hours"
            " fall within the range; over several queues calls and both ends are added up, so it is rather too wide."
        ),
        AHEAD,
        CALLS,
        EVENTS,
        needs=CALLS_OF_QUEUES,
    ),
    "card.ahead_longest": Figure(
        _("longest wait expected"),
        E,
        _(
            "The longest wait of the hour by Erlang A, with as many people as explain the waits of this hour in the"
            " weeks before. Four in five hours fall within the range; of several queues, the one with the longest."
        ),
        AHEAD,
        TIME,
        EVENTS,
        needs=CALLERS_OF_QUEUES,
    ),
    "card.ahead_people": Figure(
        _("people needed"),
        E,
        _(
            "The fewest with whom the longest wait stays within the late target in every other such hour, by Erlang A;"
            " the range is for few and for many calls. Not added up: of several queues, the one that needs the most."
        ),
        AHEAD,
        PEOPLE,
        EVENTS,
        needs=CALLERS_OF_QUEUES,
    ),
    "card.talking": Figure(
        _("people talking"),
        D,
        _("People whose phone is in a call, from call events."),
        NOW,
        PEOPLE,
        EVENTS,
        wants=WHOLE,
    ),
    "card.ringing": Figure(
        _("people ringing"), D, _("People whose phone rings, from call events."), NOW, PEOPLE, EVENTS, wants=WHOLE
    ),
    "card.idle": Figure(
        _("people idle"),
        D,
        _("People whose phone is in no call, from call events. They may be away from it."),
        NOW,
        PEOPLE,
        EVENTS,
        wants=WHOLE,
    ),
    "card.totals": Figure(
        _("totals"), D, _("Each of its figures explains itself."), CHOSEN, _("as each figure says"), READINGS
    ),
    "card.callbacks": Figure(
        _("callers to call back"),
        D,
        _("Numbers that called, reached nobody and were not spoken with since, as far as events show."),
        _("last three days"),
        _("numbers"),
        EVENTS,
        wants=WHOLE,
    ),
    "card.trend": Figure(
        _("trend line"),
        D,
        _("Callers waiting minute by minute in the last hour, the sum over its queues."),
        _("last hour"),
        CALLERS,
        SAMPLES,
    ),
    "card.ribbon": Figure(
        _("day ribbon"),
        D,
        _("By quarter hour: minutes with at least one queue late, and minutes with callers but nobody available."),
        _("last 24 hours"),
        MINUTES,
        SAMPLES,
        wants=LONGEST,
    ),
    "card.table": Figure(
        _("queue table"),
        M,
        _("Each queue as the provider tells it; those that need somebody stand on top."),
        NOW,
        _("callers; minutes and seconds; people"),
        READINGS,
        wants={**LONGEST, **AVERAGE},
    ),
    "card.people": Figure(
        _("people"),
        D,
        _("What phones are doing, from call events; what people say of themselves is theirs."),
        NOW,
        _("people; minutes and seconds"),
        EVENTS,
        wants=WHOLE,
    ),
    "card.calls": Figure(
        _("live calls"),
        D,
        _("Calls that are up now, from call events; a queue's call moves to the phone it rings at."),
        NOW,
        _("calls; minutes and seconds"),
        EVENTS,
        wants=WHOLE,
    ),
    "card.clock": Figure(_("clock"), M, _("The server's clock in this time zone."), NOW, _("time of day"), OWN),
}
