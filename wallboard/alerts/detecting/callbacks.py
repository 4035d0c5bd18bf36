"""Callers who were missed and have waited for long to be rung back."""

from django.utils import timezone

from accounts.models import Domain, Person
from wallboard.alerts import lifecycle
from wallboard.alerts.conditions import State
from wallboard.alerts.detecting.findings import NOT_JUDGED, Finding
from wallboard.alerts.detecting.opening import is_any_open
from wallboard.alerts.models import Alert
from wallboard.calls.subscriptions import health
from wallboard.desk import callback_subjects
from wallboard.desk.callback_subjects import Waiting
from wallboard.queues.models import Queue


def overdue(domain: Domain) -> Finding:
    """The oldest call-back that nobody has taken: of each queue, of each person who was rung, and of neither.

    One alert for each, so that whoever may see the call-back hears of it. By how long it has waited the rule says.
    """
    now = timezone.now()
    known = {queue.number: queue for queue in Queue.objects.filter(domain=domain)}
    names = dict(Person.objects.filter(domain=domain).values_list("extension", "name"))
    silent = lifecycle.silent_queues(domain, known, now)
    if not is_any_open(domain, now):
        return Finding(why_ended={**dict.fromkeys(["", *names], Alert.Ended.CLOSED.value), **silent})
    # Somebody may have been rung back, and nobody could see it.
    if health.of(domain.pk).state != "live":
        return NOT_JUDGED
    found = callback_subjects.of(domain, known)
    states = [
        _state(number, each, queue=known[number]) for number, each in found.queues.items() if number not in silent
    ]
    states += [_state(extension, each, names[extension] or extension) for extension, each in found.people.items()]
    if found.others:
        states.append(_state("", found.others))
    return Finding(states, why_ended=silent)


def _state(subject: str, waiting: Waiting, name: str = "", queue: Queue | None = None) -> State:
    minutes = int((timezone.now() - waiting.oldest_at).total_seconds() // 60)
    facts: dict[str, str | int] = {"minutes": minutes, "open": waiting.open}
    if name:
        facts["name"] = name
    return State(subject, waiting.oldest_at, queue=queue, facts=facts, is_age=True)
