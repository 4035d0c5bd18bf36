"""Attentions as they are kept: judged after each reading, acknowledged by a person, told to every open board."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import partial

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from accounts import audit
from accounts.models import Domain, Person
from wallboard.alerts import news, rules
from wallboard.alerts.judging import Before, Document, Reading, Verdict, Why, judged
from wallboard.alerts.models import Episode, Watch
from wallboard.live.feeds import milliseconds
from wallboard.queues import hours, pacing
from wallboard.queues.models import Level, PollState, Queue

KEPT = timedelta(days=400)  # as long as the samples that explain them
Queues = Mapping[str, Document]


def judge(domain: Domain) -> None:
    """Raise, change and end attentions after a poll; without a new reading, or with an old one, nothing changes.

    A clock that was set back leaves the last judgement ahead of now: it counts for nothing then.
    """
    state = PollState.objects.filter(domain=domain).first()
    if state is None or state.read_at is None or timezone.now() - state.read_at > patience(domain):
        return
    queues: Queues = {number: document for number, (_, document) in state.figures.items()}
    if is_calm(domain, queues):
        return
    Watch.objects.get_or_create(domain=domain)
    with transaction.atomic():
        watch = Watch.objects.select_for_update().get(domain=domain)
        is_ahead = watch.read_at is not None and watch.read_at > timezone.now() + patience(domain)
        if watch.read_at is None or watch.read_at < state.read_at or is_ahead:
            _judge(domain, watch, state.read_at, queues)


def patience(domain: Domain) -> timedelta:
    """The age from which on a reading is no longer live; a longer pause between two of them breaks a queue's time."""
    return pacing.live_for(domain)


def is_calm(domain: Domain, queues: Queues) -> bool:
    """Whether there is nothing to do: every queue read is normal, nothing is open, no time runs."""
    if any(each["level"] != Level.NORMAL and each["missing_since"] is None for each in queues.values()):
        return False
    is_open = Episode.objects.filter(domain=domain, ended_at=None).exists()
    return not is_open and not Watch.objects.filter(domain=domain).exclude(pending={}).exists()


def _judge(domain: Domain, watch: Watch, read_at: datetime, queues: Queues) -> None:
    book = rules.book(domain.pk)
    known = {queue.number: queue for queue in Queue.objects.filter(domain=domain)}
    reading = Reading(milliseconds(read_at), queues, silent_queues(domain, known, read_at))
    before = _before(domain, watch, read_at, book)
    verdict = judged(reading, before, book)
    changed = [
        *_ended(verdict, before, read_at),
        *_gone_on(verdict, before, queues),
        *_raised(domain, verdict, known, queues, read_at),
    ]
    watch.pending, watch.read_at = verdict.pending, read_at
    watch.save(update_fields=["pending", "read_at"])
    if changed:
        transaction.on_commit(partial(news.tell, domain.pk, changed), robust=True)


def silent_queues(domain: Domain, known: Mapping[str, Queue], moment: datetime) -> dict[str, str]:
    """The queues that must not call anybody now, and why: hidden, or outside their business hours."""
    schedule = hours.schedule(domain)
    closed = {number: Why.CLOSED.value for number in known if not schedule.is_open(number, moment)}
    return closed | {number: Why.HIDDEN.value for number, queue in known.items() if queue.is_hidden}


def _before(domain: Domain, watch: Watch, read_at: datetime, book: rules.Book) -> Before:
    is_unbroken = watch.read_at is not None and abs(read_at - watch.read_at) <= patience(domain)
    lately = read_at - timedelta(seconds=book.longest_cooldown)
    is_resting = Q(ended_at__gte=lately, ended_at__lte=read_at)
    episodes = Episode.objects.filter(Q(ended_at=None) | is_resting, domain=domain).select_related("queue")
    rests: dict[str, int] = {}
    for each in episodes:
        if each.ended_at is not None:
            rests[each.queue.number] = max(rests.get(each.queue.number, 0), milliseconds(each.ended_at))
    open_now = {each.queue.number: each for each in episodes if each.ended_at is None}
    return Before(watch.pending if is_unbroken else {}, open_now, rests)


def _ended(verdict: Verdict, before: Before, read_at: datetime) -> list[Episode]:
    ended = [before.open[number] for number in verdict.ended]
    for episode in ended:
        episode.ended_at, episode.ended_why = read_at, verdict.ended[episode.queue.number]
        episode.version += 1
        episode.save(update_fields=["ended_at", "ended_why", "version"])
    return ended


def _gone_on(verdict: Verdict, before: Before, queues: Queues) -> list[Episode]:
    changed = []
    for number in verdict.goes_on:
        episode, document = before.open[number], queues[number]
        if (episode.level, episode.reason) != (document["level"], document["reason"]):
            episode.level, episode.reason = document["level"], document["reason"]
            episode.worst = Level.LATE if Level.LATE in (episode.level, episode.worst) else Level.WATCH
            episode.version += 1
            episode.save(update_fields=["level", "reason", "worst", "version"])
            changed.append(episode)
    return changed


def _raised(
    domain: Domain, verdict: Verdict, known: Mapping[str, Queue], queues: Queues, read_at: datetime
) -> list[Episode]:
    raised = []
    for number, since in verdict.raised.items():
        if number not in known:
            continue
        level, reason = queues[number]["level"], queues[number]["reason"]
        episode = Episode(domain=domain, queue=known[number], level=level, worst=level, reason=reason)
        episode.began_at, episode.raised_at = datetime.fromtimestamp(since / 1000, UTC), read_at
        episode.save()
        raised.append(episode)
    return raised


def acknowledge(domain_id: int, episode_id: int, by: Person) -> Episode | None:
    """Say for everybody that somebody takes care of it; None where it has ended. The first one counts."""
    with transaction.atomic():
        wanted = Episode.objects.filter(pk=episode_id, domain_id=domain_id, ended_at=None)
        fresh = wanted.filter(acknowledged_at=None).update(
            acknowledged_at=timezone.now(),
            acknowledged_by=by,
            acknowledged_name=str(by),
            acknowledged_level=F("level"),
            version=F("version") + 1,
        )
        episode = wanted.select_related("queue").first()
        if episode is not None and fresh:
            audit.note(domain_id, "alert acknowledged", str(episode.queue))
            transaction.on_commit(partial(news.tell, domain_id, [episode]), robust=True)
    return episode


def forget_old() -> None:
    """Delete what is past its time."""
    Episode.objects.filter(ended_at__lt=timezone.now() - KEPT).delete()
