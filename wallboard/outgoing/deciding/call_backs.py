"""Call-backs that are asked for, taken and done: what is open now, compared with what programs know to be open."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction

from accounts.limits import Limit
from accounts.models import Domain, Person
from wallboard.calls import visible_calls
from wallboard.calls.documents import call_of
from wallboard.calls.legs import IS_SPOKEN
from wallboard.calls.models import Leg
from wallboard.desk import callbacks
from wallboard.desk.callbacks import MissedCaller
from wallboard.desk.models import CallBack
from wallboard.outgoing import endpoints, kinds
from wallboard.outgoing.deciding import events
from wallboard.outgoing.models import Endpoint, Event, KnownCallBack, Progress


@dataclass(frozen=True)
class Standing:
    """A caller who waits to be called back, put off or not, with the calls since which they wait.

    `owner` has taken it, at `decided_at`; None where it was kept by an older release.
    """

    caller: MissedCaller
    owner: Person | None = None
    decided_at: datetime | None = None


Known = dict[str, list[KnownCallBack]]  # by number, in the order of their calls


def follow(domain: Domain, listeners: list[Endpoint], now: datetime) -> None:
    """Tell what changed since the last look; the first look only remembers what is open. One caller at a time."""
    standing = standing_now(domain)
    limits = {endpoints.limit_of(each) for each in listeners}
    with transaction.atomic():
        progress, _is_new = Progress.objects.get_or_create(domain=domain)
        known = _known(domain)
        earlier = _earlier(known)
        found = list(_done(domain, known, standing, now))
        found += _asked(domain, known, _not_told(domain, standing, limits), now)
        found += _taken(known, standing, now)
        if progress.call_backs_since is None:
            Progress.objects.filter(pk=progress.pk).update(call_backs_since=now)
        else:
            events.store(domain, found, listeners, earlier | _earlier(known))


def forget(domain: Domain) -> None:
    """Nobody is told of call-backs: whoever is one day begins anew."""
    KnownCallBack.objects.filter(domain=domain).delete()
    Progress.objects.filter(domain=domain).update(call_backs_since=None)


def standing_now(domain: Domain) -> dict[str, Standing]:
    """Who waits, by number; who is put off waits as well."""
    states = {row.number_e164: row for row in CallBack.objects.filter(domain=domain).select_related("owner")}
    found = {}
    for caller in callbacks.missed_callers(domain.pk):
        state = callbacks.decided(caller, states.get(caller.number))
        done_at = state.done_at if state else None
        if calls := tuple(each for each in caller.calls if done_at is None or each.at > done_at):
            about = (state.owner, state.decided_at) if state else ()
            found[caller.number] = Standing(replace(caller, calls=calls), *about)
    return found


def _known(domain: Domain) -> Known:
    rows = KnownCallBack.objects.filter(domain=domain).select_related("leg", "owner")
    known: Known = defaultdict(list)
    for each in rows.order_by("leg__first_seen_at", "leg"):
        known[each.leg.caller_e164].append(each)
    return known


def _earlier(known: Known) -> dict[int, list[int]]:
    """By leg, those of the same wait before it: whoever may see one of them is told of the wait by that one."""
    legs = [[each.leg_id for each in rows] for rows in known.values()]
    return {leg: before[:place] for before in legs for place, leg in enumerate(before)}


def _not_told(domain: Domain, standing: dict[str, Standing], limits: Iterable[Limit]) -> list[Leg]:
    """For each limit the first call within it of whoever waits, where no call within it was told of their wait."""
    known = Leg.objects.filter(pk__in=KnownCallBack.objects.filter(domain=domain).values("leg"))
    callers = [each.caller for each in standing.values()]
    fresh: set[tuple[str, str]] = set()
    for limit in limits:
        told = set(visible_calls.shown(known, domain.pk, limit).values_list("caller_e164", flat=True))
        seen = callbacks.visible(callers, domain.pk, limit)
        fresh.update((each.number, each.calls[0].call) for each in seen if each.number not in told)
    return _legs(domain, fresh)


def _asked(domain: Domain, known: Known, fresh: list[Leg], now: datetime) -> Iterator[Event]:
    for leg in fresh:
        each, is_new = KnownCallBack.objects.get_or_create(leg=leg, defaults={"domain": domain})
        if is_new:
            known[leg.caller_e164].append(each)
            yield _event(kinds.ASKED, leg, _asked_at(leg, now), f"leg {leg.pk}")


def _asked_at(leg: Leg, now: datetime) -> datetime:
    return leg.ended_at or now


def _taken(known: Known, standing: dict[str, Standing], now: datetime) -> Iterator[Event]:
    for number, each in standing.items():
        for before in known[number]:
            if before.owner == each.owner:
                continue
            KnownCallBack.objects.filter(pk=before.pk).update(owner=each.owner)
            if each.owner is not None:
                # Who calls again is taken already, and programs that see this call only are asked for it first.
                at = max(each.decided_at or now, _asked_at(before.leg, now))
                subject = f"leg {before.leg_id} {each.owner.pk} {at.isoformat()}"
                yield _event(kinds.TAKEN, before.leg, at, subject, by=each.owner.extension)


def _done(domain: Domain, known: Known, standing: dict[str, Standing], now: datetime) -> Iterator[Event]:
    for number, rows in known.items():
        waits = standing.get(number)
        calls = {each.call for each in waits.caller.calls} if waits else set()
        for each in rows:
            if call_known(each) in calls:
                continue
            # Who still waits stays known by the call that was told, however long ago it was.
            if (event := _end(domain, number, each, now)) or (waits is None and _is_stale(rows[-1], number, now)):
                each.delete()
            if event:
                yield event
        known[number] = [each for each in rows if each.pk is not None]  # who called again since waits anew


def call_known(each: KnownCallBack) -> str:
    """The call since which they wait, as programs know it."""
    return call_of(each.leg)


def _end(domain: Domain, number: str, each: KnownCallBack, now: datetime) -> Event | None:
    """That somebody finished it or spoke with them; None while neither is known, as while they are on the line."""
    marked = CallBack.objects.filter(domain=domain, number_e164=number, done_at__gte=each.leg.first_seen_at)
    if state := marked.select_related("done_by").first():
        by = state.done_by.extension if state.done_by else ""
        return _event(kinds.DONE, each.leg, state.done_at or now, f"leg {each.leg_id}", by=by, how="marked")
    since = each.leg.first_seen_at
    legs = Leg.objects.filter(IS_SPOKEN, domain=domain, caller_e164=number, first_seen_at__gte=since)
    if spoken := legs.order_by("pk").first():
        by = spoken.to_user or spoken.from_user
        return _event(kinds.DONE, each.leg, spoken.active_at or now, f"leg {each.leg_id}", by=by, how="spoken")
    return None


def _is_stale(each: KnownCallBack, number: str, now: datetime) -> bool:
    """Whether nobody waits any more, without anybody having spoken: too long ago, or erased."""
    return not number.startswith("+") or now - each.leg.first_seen_at > callbacks.LOOKBACK


def _legs(domain: Domain, fresh: set[tuple[str, str]]) -> list[Leg]:
    """The first legs of these calls, each a number and a call, in the order of the calls."""
    numbers = {number for number, _call in fresh}
    rows = Leg.objects.filter(callbacks.INBOUND, domain=domain, caller_e164__in=numbers).order_by("-pk")
    # The first of each call last, so that it stays.
    first = {key: leg for leg in rows if (key := (leg.caller_e164, call_of(leg))) in fresh}
    return sorted(first.values(), key=lambda leg: (leg.first_seen_at, leg.pk))


def _event(kind: str, leg: Leg, at: datetime, subject: str, **about: str) -> Event:
    return Event(domain_id=leg.domain_id, kind=kind, leg=leg, at=at, subject=subject, about=about)
