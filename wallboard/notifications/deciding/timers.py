"""When an open alert is due for whom: timers begin with the alert, go off, repeat, and end with it."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet

from accounts.models import Domain
from wallboard.alerts.models import Alert, AlertEvent
from wallboard.notifications import mutes
from wallboard.notifications.deciding.receivers import Receivers, notices
from wallboard.notifications.models import Choice, Mute, Notice, Route, Timer
from wallboard.queues.models import Level

What = Notice.What
NEVER = datetime.fromisoformat("9999-01-01T00:00:00+00:00")  # it stays, so that it is not begun a second time
MOST_AT_ONCE = 900  # ids in one statement
LOOK_AGAIN = timedelta(seconds=20)  # at what is muted or outside its hours: either may end


def begin(domain: Domain, events: Iterable[AlertEvent]) -> None:
    """Start the timers of alerts that were raised or got worse; what is running is only hurried on."""
    routes = list(Route.objects.filter(domain=domain, is_enabled=True).prefetch_related("steps"))
    choices = list(Choice.objects.filter(person__domain=domain, is_subscribed=True, person__user__is_active=True))
    fresh: list[Timer] = []
    for event in events:
        alert = event.alert
        if alert.ended_at is None and alert.acknowledged_at is None:
            fresh += _timers(alert, routes, choices, event.at)
            if is_worse(event):
                # Who heard of it while it was less bad hears of it at once.
                Timer.objects.filter(alert=alert, times__gt=0).update(due_at=event.at, worsened=True)
    Timer.objects.bulk_create(fresh, ignore_conflicts=True, batch_size=500)


def begin_anew(choice: Choice) -> None:
    """After a person chose anew: what is open and they were not told of comes when the new choice says."""
    told = Notice.objects.filter(person=choice.person_id, held_back="", alert__ended_at=None).values("alert_id")
    begun = Timer.objects.filter(choice=choice)
    # Who chose to hear of nothing hears not even that something got worse.
    (begun.exclude(alert__in=told) if choice.is_subscribed else begun).delete()
    if choice.is_subscribed:
        waiting = Alert.objects.filter(domain=choice.person.domain_id, ended_at=None, acknowledged_at=None)
        fresh = [
            timer
            for alert in waiting.exclude(pk__in=told).select_related("queue")
            for timer in _timers(alert, [], [choice], alert.raised_at)
        ]
        Timer.objects.bulk_create(fresh, ignore_conflicts=True, batch_size=500)


def is_worse(event: AlertEvent) -> bool:
    """Whether the alert became late for the first time: what goes back and forth is told once."""
    if event.what != AlertEvent.What.LEVEL or event.level != Level.LATE:
        return False
    return not AlertEvent.objects.filter(alert=event.alert_id, pk__lt=event.pk, level=Level.LATE).exists()


def _timers(alert: Alert, routes: Sequence[Route], choices: Sequence[Choice], since: datetime) -> list[Timer]:
    """Of whom it is meant for; `since` it is: the later steps of a route give the first one its time."""
    found = []
    for route in routes:
        if route.matches(alert):
            found += [
                Timer(alert=alert, step=step, due_at=since + timedelta(seconds=step.after_seconds))
                for step in route.steps.all()
            ]
    for choice in choices:
        if choice.matches(alert):
            due_at = since + timedelta(seconds=choice.after_seconds)
            found.append(Timer(alert=alert, choice=choice, due_at=due_at))
    return found


def fire(domain: Domain, now: datetime) -> list[Notice]:
    """Let every timer go off that is due; gives the notices, not yet stored."""
    related = ("alert__queue", "step__route", "choice__person")
    is_pressing = {"alert__ended_at": None, "alert__acknowledged_at": None}  # its event may not have been taken in yet
    due = list(due_by(now).filter(alert__domain=domain, **is_pressing).select_related(*related))
    if not due:
        return []
    receivers, quiet = Receivers(domain, now), list(mutes.open_now(domain.pk, now))
    fired: list[Notice] = []
    held_up: list[Timer] = []
    for timer in due:
        if _is_held_up(timer, receivers, quiet):
            timer.due_at = now + LOOK_AGAIN
            held_up.append(timer)
            continue
        fired += _fire_one(timer, receivers, now)
    _store(due)
    _postpone_what_follows(held_up, now)
    # A person may be meant by several routes and by their own choice: once is enough.
    found: dict[tuple[int, tuple[str, int]], Notice] = {}
    for each in _without_news_heard(fired):
        found.setdefault((each.alert_id, each.receiver), each)
    return _without_repeats(list(found.values()))


def _without_news_heard(found: Sequence[Notice]) -> list[Notice]:
    """Leave out what begins for somebody who was told of it already, by a rule that was quicker."""
    begun = {each.alert_id for each in found if each.what == What.RAISED}
    told = {(each.alert_id, each.receiver) for each in Notice.objects.filter(alert__in=begun, held_back="")}
    return [each for each in found if each.what != What.RAISED or (each.alert_id, each.receiver) not in told]


def _without_repeats(found: Sequence[Notice]) -> list[Notice]:
    """Leave out what is held back for the same reason as the last time: the history says it once, not every minute."""
    held = {each.alert_id for each in found if each.held_back}
    last = {
        (each.alert_id, each.receiver): each.held_back for each in Notice.objects.filter(alert__in=held).order_by("pk")
    }
    return [each for each in found if not each.held_back or last.get((each.alert_id, each.receiver)) != each.held_back]


def due_by(now: datetime) -> QuerySet[Timer]:
    """The timers that are due: none of a route or a company that is switched off, or of somebody without a sign-in."""
    in_force = Q(step=None) | Q(step__route__is_enabled=True)
    is_able = Q(choice=None) | Q(choice__person__user__is_active=True)
    return Timer.objects.filter(in_force, is_able, due_at__lte=now, alert__domain__is_active=True)


def is_switched_off(notice: Notice) -> bool:
    """Whether the route by which somebody was to hear of it was switched off since, and no other rule means them."""
    if notice.what == What.RESOLVED or notice.route is None or notice.route.is_enabled:
        return False
    # What several rules told at once is one notice, by the first of them.
    others = Q(step__route__is_enabled=True)
    if notice.person_id is not None:
        others |= Q(choice__person=notice.person_id)
    return not Timer.objects.filter(others, alert=notice.alert_id, times__gt=0).exists()


def _is_held_up(timer: Timer, receivers: Receivers, quiet: Sequence[Mute]) -> bool:
    """Whether it must not go off now, and may later: outside its hours, or muted."""
    rule = timer.step.route if timer.step else timer.choice
    return rule is None or not rule.holds(receivers.local) or mutes.covering(quiet, timer.alert) is not None


def _postpone_what_follows(held_up: Iterable[Timer], now: datetime) -> None:
    """Keep the later steps of a route as far behind its first as ever, or both would go off as soon as both may."""
    waiting: dict[Route, list[int]] = defaultdict(list)
    for each in held_up:
        if each.step and each.step.position == 0 and each.times == 0:
            waiting[each.step.route].append(each.alert_id)
    for route, alerts in waiting.items():
        first, *later = route.steps.all()
        for step in later:
            due_at = now + LOOK_AGAIN + timedelta(seconds=max(0, step.after_seconds - first.after_seconds))
            for begin_at in range(0, len(alerts), MOST_AT_ONCE):
                some = alerts[begin_at : begin_at + MOST_AT_ONCE]
                Timer.objects.filter(step=step, alert__in=some, times=0).update(due_at=due_at)


def _store(moved: Sequence[Timer]) -> None:
    """Keep how timers stand now. Most are alike: a storm is a few statements and not thousands of cases in one."""
    alike: dict[tuple[datetime, int, bool], list[int]] = defaultdict(list)
    for each in moved:
        alike[each.due_at, each.times, each.worsened].append(each.pk)
    for (due_at, times, worsened), ids in alike.items():
        for begin_at in range(0, len(ids), MOST_AT_ONCE):
            some = Timer.objects.filter(pk__in=ids[begin_at : begin_at + MOST_AT_ONCE])
            some.update(due_at=due_at, times=times, worsened=worsened)


def _fire_one(timer: Timer, receivers: Receivers, now: datetime) -> list[Notice]:
    """The notices of one timer; moves it on to when it is due again."""
    alert, what = timer.alert, _what(timer)
    repeat = timer.step.route.repeat_seconds if timer.step else None
    timer.due_at = now + timedelta(seconds=repeat) if repeat else NEVER
    timer.times, timer.worsened = timer.times + 1, False
    if timer.step is None:
        return notices(receivers, alert, what, [timer.choice.person] if timer.choice else [])
    found = notices(receivers, alert, what, receivers.people(timer.step), receivers.destinations(timer.step))
    for each in found:
        each.route, each.route_name = timer.step.route, timer.step.route.name
    return found


def _what(timer: Timer) -> str:
    if timer.worsened:
        return What.WORSE
    if timer.times:
        return What.REPEATED
    return What.ESCALATED if timer.step and timer.step.position else What.RAISED


def end(alerts: Iterable[Alert]) -> None:
    """End the timers of these alerts."""
    Timer.objects.filter(alert__in=[each.pk for each in alerts]).delete()
