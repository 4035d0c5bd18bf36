"""Weeks of a small company as legs: every Monday from 9 to 13 callers come to one queue, and three people answer."""

from datetime import UTC, datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

from accounts.models import Domain
from wallboard.calibration import findings
from wallboard.calls.models import Leg
from wallboard.forecast import forecasting
from wallboard.forecast.replay import Caller, replay
from wallboard.queues.models import Queue, Target

ZONE = ZoneInfo("Europe/Berlin")
MONDAY = datetime(2026, 3, 16, tzinfo=ZONE)
PER_HOUR, TALK, PATIENCE, RING = 48.0, 170.0, 150.0, 4.0
CERTAIN = {"queue_legs": "user", "caller_ids": "shared", "queue_leg_answered": "ringing", "missing_events": "few"}


def certain(domain: Domain, **answers: str) -> None:
    """Let these points of calibration be settled."""
    for question, answer in (CERTAIN | answers).items():
        findings.overrule(domain, question, answer, None)


def mondays(domain: Domain, weeks: int = 5, people: int = 3, zone: ZoneInfo = ZONE) -> list[Queue]:
    """The Mondays before and, until 11, that of MONDAY; gives the queues, the second of which nobody calls."""
    domain.time_zone = zone.key
    domain.save()
    Target.objects.create(domain=domain, longest_wait_watch_seconds=60, longest_wait_late_seconds=120)
    queues = [
        Queue.objects.create(domain=domain, number=str(501 + index), name=name, order=index)
        for index, name in enumerate(("Support", "A queue with quite a long name that nobody calls"))
    ]
    Queue.objects.update(first_seen_at=datetime(2025, 1, 1, tzinfo=UTC))
    random = Random(4)
    for week in range(weeks, -1, -1):
        begin = MONDAY - timedelta(weeks=week) + timedelta(hours=9)
        Leg.objects.bulk_create(_legs(domain, begin, 4 if week else 2, people, random))
    return queues


def _legs(domain: Domain, begin: datetime, hours: int, people: int, random: Random) -> list[Leg]:
    callers, at = [], 0.0
    while (at := at + random.expovariate(PER_HOUR / 3600)) < hours * 3600:
        callers.append(Caller(at, random.expovariate(1 / TALK) + RING, random.expovariate(1 / PATIENCE)))
    found, free = [], [0.0] * people
    for number, (caller, done) in enumerate(zip(callers, replay(callers, people), strict=True)):
        call, came = f"{begin:%m%d}-{number}", begin + timedelta(seconds=caller.entered)
        rings = came + timedelta(seconds=done.waited)
        answered = rings + timedelta(seconds=RING)
        left = answered if done.is_answered else rings
        found.append(_leg(domain, call, came, left, queue="501", to_call_id=f"{call}-q"))
        if done.is_answered:
            ended = rings + timedelta(seconds=caller.handling)
            # Whoever has been free for longest.
            person = min(range(people), key=free.__getitem__)
            user, free[person] = str(101 + person), caller.entered + done.waited + caller.handling
            more = {"to_user": user, "ringing_at": rings, "active_at": answered, "is_human": True}
            found.append(_leg(domain, call, rings, max(ended, answered), to_call_id=f"{call}-p", **more))
    return found


def _leg(domain: Domain, call: str, since: datetime, ended: datetime, **more: object) -> Leg:
    return Leg(
        domain=domain, from_call_id=call, from_number="+4930123", first_seen_at=since, heard_at=ended, ended_at=ended,
        from_state="ended", to_state="ended", **more,
    )  # fmt: skip


def forecast(domain: Domain, now: datetime) -> None:
    """Run the task as often as it takes to count all days."""
    for _ in range(10):  # four days each
        forecasting.update(domain, now)
