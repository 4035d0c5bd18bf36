"""Links from the card into other programs. The administrator writes them; only browsers ever open them."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from accounts.languages.lists import listed
from wallboard.contacts.models import Link, LinkHost

PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
HOST = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*(:[0-9]{1,5})?")
LONGEST_HOST = 200
# Its keys are the placeholders that there are.
EXAMPLE = {
    "number": "+49 30 901820",
    "e164": "+4930901820",
    "name": "Hanna Brandt & Co",
    "company": "Brandt GmbH",
    "call": "call-1",
    "extension": "102",
}


@dataclass(frozen=True)
class FilledLink:
    """A link filled in for one call."""

    id: int
    name: str
    href: str


def validate(template: str, hosts: Iterable[str]) -> None:
    """Raise ValidationError unless the template is an https address at one of these hosts, with known placeholders."""
    unknown = set(PLACEHOLDER.findall(template)) - set(EXAMPLE)
    if unknown:
        raise ValidationError(_("Unknown placeholder: %(names)s") % {"names": listed(sorted(unknown))})
    if not is_allowed(template, hosts):
        raise ValidationError(
            _("It must begin with https:// and an allowed host, and may have placeholders only after that.")
        )


def is_allowed(template: str, hosts: Iterable[str]) -> bool:
    """Whether the template leads over https to one of the hosts, whatever its placeholders become."""
    # Browsers drop such characters or read a backslash as a slash, and so lead elsewhere than urlsplit says.
    if re.search(r"[\s\\\x00-\x1f\x7f]", template) or not template.startswith("https://"):
        return False
    try:
        place = urlsplit(template).netloc.lower()
    except ValueError:
        return False
    # The whole authority, so that neither user@host nor another port slips through; placeholders are no host.
    return place in {host.lower() for host in hosts}


def fill(template: str, facts: Mapping[str, str]) -> str:
    """The address with every placeholder percent-encoded, so that no value can leave its place."""
    return PLACEHOLDER.sub(lambda found: _encoded(facts.get(found[1], "")), template)


def links_for_call(domain_id: int, facts: Mapping[str, str]) -> list[FilledLink]:
    """The company's links for one call, without those whose host is not allowed any more or that nothing would fill."""
    hosts = list(LinkHost.objects.filter(domain_id=domain_id).values_list("host", flat=True))
    return [
        FilledLink(link.pk, link.name, fill(link.template, facts))
        for link in Link.objects.filter(domain_id=domain_id)
        # The host may have been taken off the list since the link was saved.
        if is_allowed(link.template, hosts) and _has_values(link.template, facts)
    ]


def _has_values(template: str, facts: Mapping[str, str]) -> bool:
    used = PLACEHOLDER.findall(template)
    # A search for nothing in the other program would only be in the way.
    return not used or any(facts.get(name) for name in used)


def _encoded(value: str) -> str:
    # Browsers resolve these before they send the address; percent-encoding does not help there.
    return "" if value in (".", "..") else quote(value, safe="", errors="replace")
