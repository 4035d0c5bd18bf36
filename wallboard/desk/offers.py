"""What the company offers on every card: words for how a call went, and links into other programs."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from accounts import audit
from accounts.models import Domain
from wallboard.desk import crm
from wallboard.desk.contacts import Unsaid
from wallboard.desk.models import Link, LinkHost, Outcome
from wallboard.desk.text import one_line

LONGEST_NAME = 40
MOST = 30
MOST_HOSTS = 20


@dataclass(frozen=True)
class LinkWish:
    """A link as somebody wrote it; `id` is None for a new one."""

    id: int | None
    name: str
    template: str


def outcomes(domain_id: int) -> list[dict[str, object]]:
    """The words on offer, in their order, as cards show them."""
    rows = Outcome.objects.filter(domain_id=domain_id, is_offered=True)
    return [{"id": outcome.pk, "name": outcome.name} for outcome in rows]


@transaction.atomic
def keep_outcomes(domain: Domain, texts: Iterable[str]) -> None:
    """Offer exactly these words, in this order; others are retired and stay on old notes. Raises Unsaid."""
    names = list(dict.fromkeys(name for name in map(one_line, texts) if name))
    if len(names) > MOST:
        raise Unsaid(_("At most %(most)d outcomes fit on a card.") % {"most": MOST})
    if any(len(name) > LONGEST_NAME for name in names):
        raise Unsaid(_("An outcome may have %(most)d letters.") % {"most": LONGEST_NAME})
    before = [outcome["name"] for outcome in outcomes(domain.pk)]
    Outcome.objects.filter(domain=domain).exclude(name__in=names).update(is_offered=False)
    for order, name in enumerate(names):
        Outcome.objects.update_or_create(domain=domain, name=name, defaults={"order": order, "is_offered": True})
    if names != before:
        audit.note(domain.pk, "outcomes changed", "", {"outcomes": [", ".join(map(str, before)), ", ".join(names)]})


@transaction.atomic
def keep_links(domain: Domain, hosts: Iterable[str], wishes: Iterable[LinkWish]) -> None:
    """Offer exactly these links, to these hosts only. Raises Unsaid, and then nothing has changed."""
    kept = list(dict.fromkeys(host for host in (_host(text) for text in hosts if text.strip()) if host))
    wanted = [wish for wish in wishes if wish.name.strip() or wish.template.strip()]
    if len(kept) > MOST_HOSTS or len(wanted) > MOST:
        raise Unsaid(_("These are too many hosts or links."))
    for wish in wanted:
        _check(wish, kept)
    before = _told(domain)
    LinkHost.objects.filter(domain=domain).exclude(host__in=kept).delete()
    for host in kept:
        LinkHost.objects.get_or_create(domain=domain, host=host)
    _keep(domain, wanted)
    if changes := audit.differences(before, _told(domain)):
        audit.note(domain.pk, "links changed", "", changes)


def _keep(domain: Domain, wanted: list[LinkWish]) -> None:
    mine = {link.pk: link for link in Link.objects.filter(domain=domain)}
    stay = {wish.id for wish in wanted}
    Link.objects.filter(domain=domain, pk__in=[pk for pk in mine if pk not in stay]).delete()
    for order, wish in enumerate(wanted):
        link = mine.get(wish.id or 0) or Link(domain=domain)
        link.name, link.template, link.order = one_line(wish.name), wish.template.strip(), order
        link.save()


def _check(wish: LinkWish, hosts: list[str]) -> None:
    name = one_line(wish.name)
    if not name or len(name) > LONGEST_NAME:
        raise Unsaid(_("A link needs a name of at most %(most)d letters.") % {"most": LONGEST_NAME})
    try:
        if len(wish.template) > 1000:
            raise ValidationError(_("It is too long."))
        crm.check(wish.template.strip(), hosts)
    except ValidationError as error:
        raise Unsaid(f"{name}: {' '.join(error.messages)}") from error


def _host(text: str) -> str:
    """A host as links are compared with it. Raises Unsaid where it is none."""
    host = text.strip().lower().removeprefix("https://").rstrip("/")
    if not crm.HOST.fullmatch(host):
        raise Unsaid(_("“%(text)s” is no host: write it as crm.example.com.") % {"text": one_line(text)[:60]})
    return host


def _told(domain: Domain) -> dict[str, str]:
    hosts = LinkHost.objects.filter(domain=domain).order_by("host").values_list("host", flat=True)
    return {
        "hosts": ", ".join(hosts),
        "links": ", ".join(f"{link.name} {link.template}" for link in Link.objects.filter(domain=domain)),
    }
