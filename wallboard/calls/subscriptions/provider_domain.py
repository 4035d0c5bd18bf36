"""What the provider calls the company's own domain, learned from calls: nothing else tells it.

One side of every call that reaches us is the company's, so the domain that all calls have in common is ours. A company
with several domains has none in common; its administrator leaves the setting empty.
"""

from collections.abc import Collection

from django.db.models import Exists, Min, OuterRef

from accounts import domains
from accounts.models import Domain
from wallboard.calls.models import Leg, Subscription

FEWEST_CALLS = 3  # one alone may name only the other side; a call with our domain on both sides is enough by itself
LOOKED_AT = 200  # legs
SET_ASIDE = "other domain"  # what webhooks.intake calls the problem of messages about other domains only


def learn(domain: Domain) -> str:
    """The company's domain; where it is not known yet, stored as soon as its calls leave no doubt. "" until then."""
    if domain.provider_domain:
        return domain.provider_domain
    named = _named(domain)
    # Blank sides name nobody, they do not disagree.
    common = set.intersection(*(pair - {""} for _, pair in named)) if named else set()
    if len(common) != 1:
        return ""
    # Calls, not legs: one call to ten phones is one witness.
    is_sure = any(pair == common for _, pair in named) or len({call for call, _ in named}) >= FEWEST_CALLS
    return domains.learn_provider_domain(domain, common.pop(), "calls") if is_sure else ""


def unknown(domain_ids: Collection[int]) -> set[int]:
    """Of these companies those whose domain is not known although a call names any; in one query."""
    named = Leg.objects.filter(domain=OuterRef("pk")).exclude(from_domain="", to_domain="")
    nameless = Domain.objects.filter(Exists(named), pk__in=domain_ids, provider_domain="")
    return set(nameless.values_list("pk", flat=True))


def candidates(domain: Domain) -> list[str]:
    """The domains that recent calls name, for an administrator to choose from."""
    return sorted(set().union(*(pair for _, pair in _named(domain))) - {""})


def _named(domain: Domain) -> list[tuple[str, set[str]]]:
    """Recent legs that name any domain: the call, and the domains of both sides, in lower case, "" for none."""
    # Those of a provider that the company has left came by subscriptions that are retired by now.
    in_force = domain.subscriptions.exclude(state=Subscription.State.RETIRED)
    since = in_force.aggregate(since=Min("created_at"))["since"]
    if since is None:
        return []
    recent = Leg.objects.filter(domain=domain, first_seen_at__gte=since).exclude(from_domain="", to_domain="")
    rows = recent.order_by("-first_seen_at").values_list("from_call_id", "from_domain", "to_domain")[:LOOKED_AT]
    return [(call, {source.casefold(), target.casefold()}) for call, source, target in rows]
