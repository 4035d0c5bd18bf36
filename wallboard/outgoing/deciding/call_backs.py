"""Call-backs that are asked for, taken and done: what is open now, compared with what programs know to be open."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from accounts.models import Domain, Person
from wallboard.calls.legs import IS_SPOKEN
from wallboard.calls.models import Leg
from wallboard.desk import callbacks
from wallboard.desk.models import CallBack
from wallboard.outgoing import kinds
from wallboard.outgoing.deciding import events
from wallboard.outgoing.models import Endpoint, Event, KnownCallBack, Progress


@dataclass(frozen=True)
class Standing:
    """A caller who waits to be called back, put off or not, by the call since which they wait."""

    call: str
    owner: Person | None


def follow(domain: Domain, listeners: list[Endpoint], now: datetime) -> None:
    """Tell what changed since the last look; the first look only remembers what is open. One caller at a time."""
    standing = standing_now(domain)
    with transaction.atomic():
        progress, _is_new = Progress.objects.get_or_create(domain=domain)
        known = {each.leg.caller_e164: each for each in _known(domain)}
        found = [*_done(domain, known, standing, now), *_asked_or_taken(domain, known, standing, now)]
        if progress.call_backs_since is None:
            Progress.objects.filter(pk=progress.pk).update(call_backs_since=now)
        else:
            events.store(domain, found, listeners)


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
        calls = [each for each in caller.calls if state is None or state.done_at is None or each.at > state.done_at]
        if calls:
            found[caller.number] = Standing(calls[0].call, state.owner if state else None)
    return found


def _known(domain: Domain) -> list[KnownCallBack]:
    return list(KnownCallBack.objects.filter(domain=domain).select_related("leg", "owner"))


def _asked_or_taken(
    domain: Domain, known: dict[str, KnownCallBack], standing: dict[str, Standing], now: datetime
) -> Iterator[Event]:
    fresh = {number: each for number, each in standing.items() if number not in known}
    legs = _legs(domain, fresh)
    for number, each in standing.items():
        before = known.get(number)
        if before is None:
            if (leg := legs.get(number)) is None:
                continue
            before, is_new = KnownCallBack.objects.get_or_create(leg=leg, defaults={"domain": domain})
            if is_new:
                yield _event(kinds.ASKED, leg, leg.ended_at or now, f"leg {leg.pk}")
        if before.owner != each.owner:
            KnownCallBack.objects.filter(pk=before.pk).update(owner=each.owner)
            if each.owner is not None:
                subject = f"leg {before.leg_id} {each.owner.pk} {now.isoformat()}"
                yield _event(kinds.TAKEN, before.leg, now, subject, by=each.owner.extension)


def _done(
    domain: Domain, known: dict[str, KnownCallBack], standing: dict[str, Standing], now: datetime
) -> Iterator[Event]:
    for number, each in known.items():
        if number in standing and standing[number].call == call_known(each):
            continue
        # Who still waits stays known by the call that was told, however long ago it was.
        if (event := _end(domain, number, each, now)) or (number not in standing and _is_stale(each, number, now)):
            each.delete()
        if event:
            yield event
    for number in [number for number, each in known.items() if each.pk is None]:
        del known[number]  # who called again since waits anew


def call_known(each: KnownCallBack) -> str:
    """The call since which they wait, as programs know it."""
    return each.leg.from_call_id or each.leg.to_call_id


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


def _legs(domain: Domain, fresh: dict[str, Standing]) -> dict[str, Leg]:
    rows = Leg.objects.filter(callbacks.INBOUND, domain=domain, caller_e164__in=list(fresh)).order_by("-pk")
    # The first of each call last, so that it stays.
    return {leg.caller_e164: leg for leg in rows if (leg.from_call_id or leg.to_call_id) == fresh[leg.caller_e164].call}


def _event(kind: str, leg: Leg, at: datetime, subject: str, **about: str) -> Event:
    return Event(domain_id=leg.domain_id, kind=kind, leg=leg, at=at, subject=subject, about=about)
