"""Whether whoever reads a mailbox wants alerts there: a mail with a link, before anything else is sent.

An address is typed by somebody, who may mistype it or mean another's. The link is signed, about that destination with
that address, and good for some days.
"""

from datetime import timedelta
from hashlib import sha256
from typing import Any

from django.core import signing
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit
from accounts.companies import addresses
from accounts.encryption import WrongKey
from accounts.models import Domain, Person
from wallboard.notifications import destinations, trying
from wallboard.notifications.models import Channel, Delivery, Destination
from wallboard.notifications.trying import Outcome

SALT = "wallboard.notifications.confirm"
GOOD_FOR = timedelta(days=7)
MOST_PER_HOUR = 20  # of one person, or of a company's administrators: nobody floods the mailboxes of others from here


def add_mail(domain: Domain, address: str, person: Person | None = None) -> Outcome:
    """Add an e-mail address, and ask whoever reads it; alerts go there once they have confirmed it."""
    added = destinations.add(domain, Channel.EMAIL, address, address, person, is_confirmed=False)
    return ask(added)


def ask(destination: Destination) -> Outcome:
    """Send the mail with the link, at once and once."""
    since = timezone.now() - timedelta(hours=1)
    lately = Delivery.objects.filter(domain=destination.domain, is_test=True, channel=Channel.EMAIL)
    if lately.filter(person=destination.person, created_at__gt=since).count() >= MOST_PER_HOUR:
        return Outcome(str(destination), _("Too many test mails within an hour. Wait a little."), False)
    with trying.in_language_of(destination):
        content = _content(destination)
    return trying.send_at_once(destination, content)


def _content(destination: Destination) -> dict[str, Any]:
    who = str(destination.person) if destination.person else _("An administrator")
    company = destination.domain.name
    text = _(
        "%(who)s wants alerts of the wallboard of %(company)s to be sent to this address. If that is right, open the "
        "link and confirm it within seven days. If not, do nothing: no alerts are sent here."
    )
    return {
        "title": _("Confirm this address for alerts of %(company)s") % {"company": company},
        "text": text % {"who": who, "company": company},
        "url": confirm_url(destination),
    }


def confirm_url(destination: Destination) -> str:
    """The page that confirms this destination with the address that it has now."""
    token = signing.dumps([destination.pk, _digest(destination)], salt=SALT)
    return addresses.of(destination.domain) + reverse("notifications:confirm", args=[token])


def destination_of(token: str) -> Destination | None:
    """The destination that a link is about; None where it is not ours, too old, or about another address."""
    try:
        pk, digest = signing.loads(token, salt=SALT, max_age=GOOD_FOR)
    except (signing.BadSignature, ValueError):
        return None
    found = Destination.objects.select_related("domain", "person").filter(pk=pk, channel=Channel.EMAIL).first()
    return found if found is not None and _digest(found) == digest else None


def confirm(destination: Destination) -> None:
    """Let alerts through from now on."""
    if Destination.objects.filter(pk=destination.pk, is_confirmed=False).update(is_confirmed=True):
        audit.log(destination.domain_id, "destination confirmed", destinations.label(destination))


def _digest(destination: Destination) -> str:
    try:
        address = destinations.open_address(destination)
    except WrongKey:
        return ""
    return sha256(str(address).encode()).hexdigest()[:16]
