"""What the page says of each question: what is asked, how it is tested, what the answers mean, what rests on it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

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


NEEDS_LEGS = lazy("This needs callers in a queue to be seen in call events.")
TEXTS: dict[str, QuestionText] = {
    "wait_unit": QuestionText(
        lazy("Unit of the waits"),
        lazy(
            "A wait of now grows by the seconds between two readings. Nobody has waited longer than anybody "
            "was waiting. After a caller was seen to wait, the longest wait is not far below that."
        ),
        lazy("Every wait on every page, and every target for it."),
        {"s": lazy("seconds"), "ms": lazy("milliseconds"), "min": lazy("minutes")},
    ),
    "longest_wait_of": QuestionText(
        lazy("Longest wait: of whom"),
        lazy("When the last caller leaves, a wait of now is gone, and a wait of a period stays."),
        lazy("Longest wait, minutes over target, alerts about waits."),
        {"now": lazy("of callers who wait now"), "period": lazy("of callers of a period")},
        lazy("Queue {0} emptied: the wait went from {1} to {2}."),
    ),
    "average_wait_of": QuestionText(
        lazy("Average wait: of whom"),
        lazy("When the last caller leaves, a wait of now is gone, and a wait of a period stays."),
        lazy("Average wait."),
        {"now": lazy("of callers who wait now"), "period": lazy("of callers of a period")},
        lazy("Queue {0} emptied: the wait went from {1} to {2}."),
    ),
    "call_zone": QuestionText(
        lazy("Clock of the call times"),
        lazy(
            "The first event of a call comes just after the call began, so the time in it shows the provider's clock."
        ),
        lazy("Times of calls as the provider tells them."),
        {},
        lazy("The call said that it began at {0}; by this clock we heard of it {1} s later."),
    ),
    "queue_legs": QuestionText(
        lazy("Callers in a queue in call events"),
        lazy(
            "When the callers waiting rise, an event with the number of that queue comes at about that time, "
            "or none does."
        ),
        lazy("Unanswered calls, service level and speed of answer per queue."),
        {
            "user": lazy("seen, the queue stands in to.user"),
            "id": lazy("seen, the queue stands in to.id"),
            "address": lazy("seen, the queue stands in the address in to.id"),
            "hidden": lazy("not seen"),
        },
        lazy("A caller more waited in queue {0}."),
    ),
    "queue_leg_answered": QuestionText(
        lazy("Answered while music plays"),
        lazy("A caller who waits in a queue counts as answered there, or not, before any person answers."),
        lazy("Which answer counts for the service level."),
        {"answered": lazy("the queue counts as answering"), "not_answered": lazy("only people answer")},
        lazy("Queue {0}: somebody waited {1} s."),
        NEEDS_LEGS,
    ),
    "caller_ids": QuestionText(
        lazy("Call id of a caller"),
        lazy("Two legs with the same number and the same beginning belong to one caller; their call ids are compared."),
        lazy("Which person answered which caller of a queue."),
        {"shared": lazy("one for all legs of a caller"), "per_leg": lazy("another one for each leg")},
        lazy("Two legs of one caller."),
    ),
    "unanswered_records": QuestionText(
        lazy("Records of unanswered calls"),
        lazy(
            "Calls that nobody answered either get a detail record as the others do, or none after several "
            "times as long."
        ),
        lazy("Finding unanswered calls whose events were lost."),
        {"yes": lazy("they get one"), "no": lazy("they get none"), "no_records": lazy("there are no records at all")},
        lazy("A call to {0} that nobody answered."),
    ),
    "record_delay": QuestionText(
        lazy("How late detail records come"),
        lazy("Measured from the event that a call ended to its record."),
        lazy("How soon a call whose end was lost is closed."),
    ),
    "is_human": QuestionText(
        lazy("What is_human = false marks"),
        lazy(
            "Seen on callers in queues, and on voicemail: a phone rang in vain and then the same person "
            "answers at once."
        ),
        lazy("Telling a machine from a person."),
        {
            "both": lazy("queues and voicemail"),
            "queues": lazy("queues, not voicemail"),
            "voicemail": lazy("voicemail, not queues"),
            "nothing": lazy("nothing, it is always true"),
            "missing": lazy("the field is missing"),
        },
        lazy("{0}: {1}"),
    ),
    "available_in_call": QuestionText(
        lazy("“Available” and people on a call"),
        lazy(
            "Fewer available than people who talk to callers of the queue: they do not count. More than all "
            "agents without those: they do."
        ),
        lazy("Callers waiting with nobody available."),
        {"excluded": lazy("people on a call do not count"), "counted": lazy("people on a call count as available")},
        lazy("Queue {0}: {1} talking, {2} available of {3}."),
        NEEDS_LEGS,
    ),
    "agents_add_up": QuestionText(
        lazy("Available + unavailable = agents"),
        lazy("Added up at every reading, for as many hours of agents as a break or sign-off would need to show."),
        lazy("Share of agents available."),
        {"adds_up": lazy("adds up"), "does_not": lazy("does not add up")},
        lazy("Queue {0}: {1} + {2}, agents {3}."),
    ),
    "lag": QuestionText(
        lazy("Figures against events"),
        lazy(
            "Callers waiting as read are compared with callers in queues as events show them, shifted until both fit."
        ),
        lazy("Everything that combines figures and events."),
        {
            "together": lazy("at the same time"),
            "figures_late": lazy("figures come later"),
            "events_late": lazy("events come later"),
        },
        "",
        NEEDS_LEGS,
    ),
    "missing_events": QuestionText(
        lazy("Events that never come"),
        lazy(
            "Every call that ended had a beginning, and every answered one an answer: what was never told is counted."
        ),
        lazy("Everything that is derived from call events."),
        {"few": lazy("fewer than 1 in 50"), "some": lazy("some are missing")},
        lazy("{0}"),
    ),
}
WAIT_TESTS: dict[str, Text] = {
    "slope": lazy("Queue {1}: the longest wait rose by {2} in {3} s."),
    "ceiling": lazy("Queue {1} showed a wait of {2}, {3} s after it was empty."),
    "average": lazy("Queue {1}: an average wait of {2} would be of hours."),
    "floor": lazy("A caller of queue {1} had waited {3} s; the longest wait said {2}."),
}
EVENT_PARTS: dict[str, Text] = {
    "beginning": lazy("the beginning of a call"),
    "answer": lazy("the answer to a call"),
    "end": lazy("the end of a call"),
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
