"""What the page says of each question: what is asked, how it is tested, what the answers mean, what rests on it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

Text = str | Promise


@dataclass(frozen=True)
class QuestionText:
    """One question in words. `example` has a place {0}, {1} … for each value of an observation."""

    title: Text
    how: Text
    rests: Text
    answers: Mapping[str, Text] = field(default_factory=dict)
    example: Text = ""
    missing: Text = ""  # what to do where nothing can be seen


NEEDS_LEGS = gettext_lazy("This needs callers in a queue to be seen in call events.")
TEXTS: dict[str, QuestionText] = {
    "wait_unit": QuestionText(
        gettext_lazy("Unit of the waits"),
        gettext_lazy(
            "A wait of now grows by the seconds between two readings. Nobody has waited longer than anybody "
            "was waiting. After a caller was seen to wait, the longest wait is not far below that."
        ),
        gettext_lazy("Every wait on every page, and every target for it."),
        {"s": gettext_lazy("seconds"), "ms": gettext_lazy("milliseconds"), "min": gettext_lazy("minutes")},
    ),
    "longest_wait_of": QuestionText(
        gettext_lazy("Longest wait: of whom"),
        gettext_lazy("When the last caller leaves, a wait of now is gone, and a wait of a period stays."),
        gettext_lazy("Longest wait, minutes over target, alerts about waits."),
        {"now": gettext_lazy("of callers who wait now"), "period": gettext_lazy("of callers of a period")},
        gettext_lazy("Queue {0} emptied: the wait went from {1} to {2}."),
    ),
    "average_wait_of": QuestionText(
        gettext_lazy("Average wait: of whom"),
        gettext_lazy("When the last caller leaves, a wait of now is gone, and a wait of a period stays."),
        gettext_lazy("Average wait."),
        {"now": gettext_lazy("of callers who wait now"), "period": gettext_lazy("of callers of a period")},
        gettext_lazy("Queue {0} emptied: the wait went from {1} to {2}."),
    ),
    "call_zone": QuestionText(
        gettext_lazy("Clock of the call times"),
        gettext_lazy(
            "The first event of a call comes just after the call began, so the time in it shows the provider's clock."
        ),
        gettext_lazy("Times of calls as the provider tells them."),
        {},
        gettext_lazy("The call said that it began at {0}; by this clock we heard of it {1} s later."),
    ),
    "queue_legs": QuestionText(
        gettext_lazy("Callers in a queue in call events"),
        gettext_lazy(
            "When the callers waiting rise, an event with the number of that queue comes at about that time, "
            "or none does."
        ),
        gettext_lazy("Unanswered calls, service level and speed of answer per queue."),
        {
            "user": gettext_lazy("seen, the queue stands in to.user"),
            "id": gettext_lazy("seen, the queue stands in to.id"),
            "address": gettext_lazy("seen, the queue stands in the address in to.id"),
            "hidden": gettext_lazy("not seen"),
        },
        gettext_lazy("A caller more waited in queue {0}."),
    ),
    "queue_leg_answered": QuestionText(
        gettext_lazy("Answered while music plays"),
        gettext_lazy("A caller who waits in a queue counts as answered there, or not, before any person answers."),
        gettext_lazy("Which answer counts for the service level."),
        {"answered": gettext_lazy("the queue counts as answering"), "not_answered": gettext_lazy("only people answer")},
        gettext_lazy("Queue {0}: somebody waited {1} s."),
        NEEDS_LEGS,
    ),
    "caller_ids": QuestionText(
        gettext_lazy("Call id of a caller"),
        gettext_lazy(
            "Two legs with the same number and the same beginning belong to one caller; their call ids are compared."
        ),
        gettext_lazy("Which person answered which caller of a queue."),
        {"shared": gettext_lazy("one for all legs of a caller"), "per_leg": gettext_lazy("another one for each leg")},
        gettext_lazy("Two legs of one caller."),
    ),
    "unanswered_records": QuestionText(
        gettext_lazy("Records of unanswered calls"),
        gettext_lazy(
            "Calls that nobody answered either get a detail record as the others do, or none after several "
            "times as long."
        ),
        gettext_lazy("Finding unanswered calls whose events were lost."),
        {
            "yes": gettext_lazy("they get one"),
            "no": gettext_lazy("they get none"),
            "no_records": gettext_lazy("there are no records at all"),
        },
        gettext_lazy("A call to {0} that nobody answered."),
    ),
    "record_delay": QuestionText(
        gettext_lazy("How late detail records come"),
        gettext_lazy("Measured from the event that a call ended to its record."),
        gettext_lazy("How soon a call whose end was lost is closed."),
    ),
    "is_human": QuestionText(
        gettext_lazy("What is_human = false marks"),
        gettext_lazy(
            "Seen on callers in queues, and on voicemail: a phone rang in vain and then the same person "
            "answers at once."
        ),
        gettext_lazy("Telling a machine from a person."),
        {
            "both": gettext_lazy("queues and voicemail"),
            "queues": gettext_lazy("queues, not voicemail"),
            "voicemail": gettext_lazy("voicemail, not queues"),
            "nothing": gettext_lazy("nothing, it is always true"),
            "missing": gettext_lazy("the field is missing"),
        },
        gettext_lazy("{0}: {1}"),
    ),
    "available_in_call": QuestionText(
        gettext_lazy("“Available” and people on a call"),
        gettext_lazy(
            "Fewer available than people who talk to callers of the queue: they do not count. More than all "
            "agents without those: they do."
        ),
        gettext_lazy("Callers waiting with nobody available."),
        {
            "excluded": gettext_lazy("people on a call do not count"),
            "counted": gettext_lazy("people on a call count as available"),
        },
        gettext_lazy("Queue {0}: {1} talking, {2} available of {3}."),
        NEEDS_LEGS,
    ),
    "agents_add_up": QuestionText(
        gettext_lazy("Available + unavailable = agents"),
        gettext_lazy(
            "Added up at every reading, for as many hours of agents as a break or sign-off would need to show."
        ),
        gettext_lazy("Share of agents available."),
        {"adds_up": gettext_lazy("adds up"), "does_not": gettext_lazy("does not add up")},
        gettext_lazy("Queue {0}: {1} + {2}, agents {3}."),
    ),
    "lag": QuestionText(
        gettext_lazy("Figures against events"),
        gettext_lazy(
            "Callers waiting as read are compared with callers in queues as events show them, shifted until both fit."
        ),
        gettext_lazy("Everything that combines figures and events."),
        {
            "together": gettext_lazy("at the same time"),
            "figures_late": gettext_lazy("figures come later"),
            "events_late": gettext_lazy("events come later"),
        },
        "",
        NEEDS_LEGS,
    ),
    "missing_events": QuestionText(
        gettext_lazy("Events that never come"),
        gettext_lazy(
            "Every call that ended had a beginning or an answer, and every answered one an answer: what was never "
            "told is counted."
        ),
        gettext_lazy("Everything that is derived from call events."),
        {"few": gettext_lazy("fewer than 1 in 50"), "some": gettext_lazy("some are missing")},
        gettext_lazy("{0}"),
    ),
}
WAIT_TESTS: dict[str, Text] = {
    "slope": gettext_lazy("Queue {1}: the longest wait rose by {2} in {3} s."),
    "ceiling": gettext_lazy("Queue {1} showed a wait of {2}, {3} s after it was empty."),
    "average": gettext_lazy("Queue {1}: an average wait of {2} would be of hours."),
    "floor": gettext_lazy("A caller of queue {1} had waited {3} s; the longest wait said {2}."),
}
EVENT_PARTS: dict[str, Text] = {
    "beginning": gettext_lazy("the beginning of a call"),
    "answer": gettext_lazy("the answer to a call"),
    "end": gettext_lazy("the end of a call"),
}


def answer_text(question: str, answer: str, value: float | None) -> str:
    """An answer in words, with the measured figure where there is one."""
    if question == "record_delay" and "/" in answer:
        middle, slow = answer.split("/")
        return _("half within %(middle)s s, 19 of 20 within %(slow)s s") % {"middle": middle, "slow": slow}
    if question == "call_zone" and answer:
        return f"UTC{answer}"
    text = str(TEXTS[question].answers.get(answer, answer))
    if question == "lag" and value:
        return _("%(text)s, by about %(seconds)d s") % {"text": text, "seconds": abs(value)}
    if question == "missing_events" and answer == "some" and value is not None:
        return _("%(text)s: about %(share).1f %%") % {"text": text, "share": 100 * value}
    return text


def example_text(question: str, values: tuple[str, ...]) -> str:
    """An observation in words."""
    template, shown = str(TEXTS[question].example), values
    if question == "wait_unit" and values:
        template = str(WAIT_TESTS[values[0]])
    if question == "missing_events" and values:
        shown = (str(EVENT_PARTS[values[0]]),)
    # Stored by another release with fewer values: no example is worth an error.
    return template.format(*shown) if shown or "{" not in template else ""
