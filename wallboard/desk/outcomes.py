"""What the company offers on every card: words for how a call went, and links into other programs."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from accounts import audit
from accounts.models import Domain
from wallboard.contacts import crm_links
from wallboard.contacts.address_book import InvalidInput
from wallboard.contacts.models import Link, LinkHost
from wallboard.contacts.safe_text import one_line
from wallboard.desk.models import Outcome

LONGEST_NAME = 40
MOST = 30
MOST_HOSTS = 20


@dataclass(frozen=True)
class LinkInput:
    """A link as somebody wrote it; `id` is None for a new one."""

    id: int | None
    name: str
    template: str


def outcomes(domain_id: int) -> list[dict[str, object]]:
    """The words on offer, in their order, as cards show them."""
    rows = Outcome.objects.filter(domain_id=domain_id, is_offered=True)
    return [{"id": outcome.pk, "name": outcome.name} for outcome in rows]


@transaction.atomic
def save_outcomes(domain: Domain, texts: Iterable[str]) -> None:
    """Offer exactly these words, in this order; others are retired and stay on old notes. Raises InvalidInput."""
    names = list(dict.fromkeys(name for name in map(one_line, texts) if name))
    if len(names) > MOST:
        raise InvalidInput(_("At most %(most)d outcomes fit on a card.") % {"most": MOST})
    if any(len(name) > LONGEST_NAME for name in names):
        raise InvalidInput(_("An outcome may have %(most)d letters.") % {"most": LONGEST_NAME})
    before = [outcome["name"] for outcome in outcomes(domain.pk)]
    # Retired and not deleted: old notes go on naming them.
    Outcome.objects.filter(domain=domain).exclude(name__in=names).update(is_offered=False)
    for order, name in enumerate(names):
        Outcome.objects.update_or_create(domain=domain, name=name, defaults={"order": order, "is_offered": True})
    if names != before:
        audit.log(domain.pk, "outcomes changed", "", {"outcomes": [", ".join(map(str, before)), ", ".join(names)]})


@transaction.atomic
def save_links(domain: Domain, hosts: Iterable[str], entries: Iterable[LinkInput]) -> None:
    """Offer exactly these links, to these hosts only. Raises InvalidInput, and then nothing has changed."""
    allowed = list(dict.fromkeys(host for host in (_host(text) for text in hosts if text.strip()) if host))
    wanted = [entry for entry in entries if entry.name.strip() or entry.template.strip()]
    if len(allowed) > MOST_HOSTS or len(wanted) > MOST:
        raise InvalidInput(_("These are too many hosts or links."))
    for entry in wanted:
        _check(entry, allowed)
    before = _audited(domain)
    LinkHost.objects.filter(domain=domain).exclude(host__in=allowed).delete()
    for host in allowed:
        LinkHost.objects.get_or_create(domain=domain, host=host)
    _save(domain, wanted)
    if changes := audit.differences(before, _audited(domain)):
        audit.log(domain.pk, "links changed", "", changes)


def _save(domain: Domain, wanted: list[LinkInput]) -> None:
    mine = {link.pk: link for link in Link.objects.filter(domain=domain)}
    stay = {entry.id for entry in wanted}
    # Updated in place where they stay: rules of people point at a link by its id.
    Link.objects.filter(domain=domain, pk__in=[pk for pk in mine if pk not in stay]).delete()
    for order, entry in enumerate(wanted):
        link = mine.get(entry.id or 0) or Link(domain=domain)
        link.name, link.template, link.order = one_line(entry.name), entry.template.strip(), order
        link.save()


def _check(entry: LinkInput, hosts: list[str]) -> None:
    name = one_line(entry.name)
    if not name or len(name) > LONGEST_NAME:
        raise InvalidInput(_("A link needs a name of at most %(most)d letters.") % {"most": LONGEST_NAME})
    try:
        if len(entry.template) > 1000:
            raise ValidationError(_("It is too long."))
        crm_links.validate(entry.template.strip(), hosts)
    except ValidationError as error:
        raise InvalidInput(f"{name}: {' '.join(error.messages)}") from error


def _host(text: str) -> str:
    """A host as links are compared with it. Raises InvalidInput where it is none."""
    host = text.strip().lower().removeprefix("https://").rstrip("/")
    if len(host) > crm_links.LONGEST_HOST or not crm_links.HOST.fullmatch(host):
        raise InvalidInput(_("“%(text)s” is no host: write it as crm.example.com.") % {"text": one_line(text)[:60]})
    return host


def _audited(domain: Domain) -> dict[str, str]:
    hosts = LinkHost.objects.filter(domain=domain).order_by("host").values_list("host", flat=True)
    return {
        "hosts": ", ".join(hosts),
        "links": ", ".join(f"{link.name} {link.template}" for link in Link.objects.filter(domain=domain)),
    }
