"""Windows, units and sources that many figures share, and what figures rest on."""

from django.utils.translation import gettext_lazy as _

from wallboard.figures.figure import ANY, Needs

NOW = _("now")
TODAY = _("since the company's day began")
CHOSEN = _("now, or the time that is chosen on the card")
PERIOD = _("the days of the report")
AHEAD = _("the hour that begins with the quarter under way, forecast anew every quarter of an hour")
KEPT_FORECASTS = _("the last nine weeks, as far as there were forecasts")
HOUR_AHEAD = _("the hour that the head of the table names")
ONE_CALL = _("one call")
LISTED = _("what the list shows")

CALLERS, CALLS, PEOPLE, COUNT = _("callers"), _("calls"), _("people"), _("a count")
TIME = _("minutes and seconds (4:08), from an hour on with hours (1:02:05)")
MINUTES = _("minutes")
PERCENT = _("percent")

READINGS = _("the provider's queue statistics, as they were read")
SAMPLES = _("the provider's queue statistics, one sample per queue and minute")
EVENTS = _("the provider's call events, by the clock of their receipt")
OWN = _("this installation's own records and clock")

LONGEST: Needs = {"wait_unit": ANY, "longest_wait_of": frozenset({"now"})}
AVERAGE: Needs = {"wait_unit": ANY, "average_wait_of": frozenset({"now"})}
WHOLE: Needs = {"missing_events": frozenset({"few"})}
ONE_CALL_ID: Needs = {"caller_ids": frozenset({"shared"})}  # legs without it each count as a call
QUEUE_LEGS: Needs = {"queue_legs": frozenset({"user", "id"})}
CALLS_OF_QUEUES: Needs = {**QUEUE_LEGS, **WHOLE}
CALLERS_OF_QUEUES: Needs = {
    **CALLS_OF_QUEUES,
    **ONE_CALL_ID,  # withheld numbers cannot be tied to their legs otherwise
    "queue_leg_answered": ANY,
}
