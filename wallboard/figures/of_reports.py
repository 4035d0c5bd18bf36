"""Figures of the reports: what queues and people did over some days, service level, the hour to come, and what-if."""

from dataclasses import replace

from django.utils.translation import gettext_lazy as _

from wallboard.figures.figure import Figure, Kind, Needs, Text
from wallboard.figures.phrases import (
    AVERAGE,
    CALLERS,
    CALLERS_OF_QUEUES,
    CALLS,
    CALLS_OF_QUEUES,
    EVENTS,
    HOUR_AHEAD,
    KEPT_FORECASTS,
    LONGEST,
    MINUTES,
    ONE_CALL_ID,
    PEOPLE,
    PERCENT,
    PERIOD,
    SAMPLES,
    TIME,
    WHOLE,
)

M, D, E = Kind.MEASURED, Kind.DERIVED, Kind.ESTIMATED


def _sampled(name: Text, formula: Text, unit: Text, wants: Needs | None = None) -> Figure:
    return Figure(name, D, formula, PERIOD, unit, SAMPLES, wants=wants or {})


def _counted(name: Text, formula: Text, unit: Text = CALLS) -> Figure:
    return Figure(name, D, formula, PERIOD, unit, EVENTS, wants=WHOLE)


def _of_whole_calls(name: Text, formula: Text) -> Figure:
    return replace(_counted(name, formula), assumes=ONE_CALL_ID)


def _of_callers(name: Text, formula: Text, unit: Text = CALLERS) -> Figure:
    return Figure(name, D, formula, PERIOD, unit, EVENTS, needs=CALLERS_OF_QUEUES)


def _ahead(name: Text, formula: Text, unit: Text, needs: Needs) -> Figure:
    return Figure(name, E, formula, HOUR_AHEAD, unit, EVENTS, needs=needs)


def _what_if(name: Text, kind: Kind, formula: Text) -> Figure:
    unit = _("minutes and seconds; callers; percent")
    return Figure(name, kind, formula, _("the hours that were chosen"), unit, EVENTS, needs=CALLERS_OF_QUEUES)


FIGURES = {
    "reports.late": _sampled(
        _("Minutes over target"),
        _("How long a queue was late by its targets, added up from seconds. Minutes without a reading do not count."),
        MINUTES,
        LONGEST,
    ),
    "reports.watch": _sampled(
        _("Minutes on watch"),
        _("How long a queue was on watch by its targets, added up from seconds."),
        MINUTES,
        LONGEST,
    ),
    "reports.nobody": _sampled(
        _("Callers, nobody available"),
        _("How long callers waited while the provider called nobody of the queue available, added up from seconds."),
        MINUTES,
    ),
    "reports.most": _sampled(_("Most waiting"), _("The most callers that waited at once in any reading."), CALLERS),
    "reports.longest": Figure(
        _("Longest wait"),
        D,
        _("The highest of the provider's longest waits in any reading with somebody waiting."),
        PERIOD,
        TIME,
        SAMPLES,
        assumes=LONGEST,
    ),
    "reports.average": Figure(
        _("Highest average wait"),
        D,
        _("The highest of the averages, of any minute, of how long those who waited had waited so far."),
        PERIOD,
        TIME,
        SAMPLES,
        assumes=AVERAGE,
    ),
    "reports.measured": _sampled(_("Measured"), _("Minutes in which the queue was read."), MINUTES),
    "reports.summary": _sampled(
        _("What mattered"),
        _("Sentences from the figures of the table of queues below."),
        _("minutes; minutes and seconds"),
        LONGEST,
    ),
    "service.percent": _of_callers(
        _("Service level"), _("By the formula that stands above the figures, with its seconds."), PERCENT
    ),
    "service.offered": _of_callers(_("Offered"), _("Callers who came to the queue and are over there.")),
    "service.answered": _of_callers(_("Answered"), _("Of these, those whom a person answered.")),
    "service.unanswered": _of_callers(_("Unanswered"), _("Offered less answered: they left before a person answered.")),
    "service.left_early": _of_callers(
        _("Left early"), _("Of the unanswered, those who left within the short-abandon time.")
    ),
    "service.answer_speed": _of_callers(
        _("Average speed of answer"),
        _("How long callers whom a person answered had waited in the queue, on average. A greeting does not count."),
        TIME,
    ),
    "service.waits": _of_callers(
        _("Waits of callers"),
        _("So many of 100 callers had waited no longer when a person answered or they left the queue."),
        TIME,
    ),
    "service.answers": _of_callers(
        _("Waits until the answer"),
        _("So many of 100 callers whom a person answered had waited no longer."),
        TIME,
    ),
    "service.repeated": _of_callers(
        _("Repeat callers"),
        _("Numbers that called more than once; withheld numbers cannot be told apart."),
        _("numbers"),
    ),
    "service.calls": _of_callers(
        _("Calls counted"), _("Calls of queues that are over, on which the preview rests."), CALLS
    ),
    "persons.answered": _counted(
        _("Answered"),
        _("Calls that rang the phone and that the person answered; one that rang several times counts once."),
    ),
    "persons.missed": _of_whole_calls(
        _("Missed"), _("Calls that rang the phone and that nobody answered; one that a colleague took does not count.")
    ),
    "persons.talk": _counted(_("Talked"), _("From the answer to the end, added up. Hold is in it."), TIME),
    "persons.average_talk": _counted(
        _("Average talk"), _("Talked, divided by answered: hold and work after the call are not told apart."), TIME
    ),
    "persons.average_ring": _counted(
        _("Average ring"), _("From the first ringing to the answer, on average over the answered calls."), TIME
    ),
    "outside.ended": _of_whole_calls(_("Ended"), _("Calls from outside that are over.")),
    "outside.answered": _of_whole_calls(
        _("Answered by a person"), _("Of these, those that a person's phone answered.")
    ),
    "outside.unanswered": _of_whole_calls(
        _("Unanswered"), _("Of these, the others: a leg to a queue or to a machine counts as nobody.")
    ),
    "forecast.calls": _ahead(
        _("Calls"),
        _(
            "The same weekday and hour of the last eight weeks, times the course of today. Four in five hours fall"
            " within the range beside it."
        ),
        CALLS,
        CALLS_OF_QUEUES,
    ),
    "forecast.people": _ahead(
        _("People needed"),
        _(
            "The fewest with whom the longest wait stays within the late target in every other such hour, by Erlang A"
            " from your own handling times and patience."
        ),
        PEOPLE,
        CALLERS_OF_QUEUES,
    ),
    "forecast.usual_people": _ahead(
        _("People as usual"),
        _("As many people on this queue alone as explain, by Erlang A, the waits of this hour in the weeks before."),
        PEOPLE,
        CALLERS_OF_QUEUES,
    ),
    "forecast.longest": _ahead(
        _("Longest wait as usual"),
        _("By Erlang A with people as usual. Four in five hours fall within the range beside it."),
        TIME,
        CALLERS_OF_QUEUES,
    ),
    "forecast.inside": Figure(
        _("Hours within their range"),
        D,
        _(
            "Of the forecasts that were made at full hours, for how many the calls that came lay within the range."
            " Hours in which call events were missing do not count."
        ),
        KEPT_FORECASTS,
        PERCENT,
        EVENTS,
        needs=CALLS_OF_QUEUES,
    ),
    "forecast.error": Figure(
        _("Mean error"),
        D,
        _(
            "By how many calls forecasts missed what came, on average, and by how many “as many as in the same hour a"
            " week ago” would have missed it in the same hours."
        ),
        KEPT_FORECASTS,
        CALLS,
        EVENTS,
        needs=CALLS_OF_QUEUES,
    ),
    "what_if.measured": _what_if(
        _("Measured that day"), D, _("The waits of the callers of these hours, as call events tell them.")
    ),
    "what_if.model": _what_if(
        _("Model"),
        E,
        _(
            "The callers of that day once more, with talk times and patience drawn from your own means; the range holds"
            " four of five runs."
        ),
    ),
}
