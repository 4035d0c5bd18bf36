"""The browsers of a person that messages are pushed to: one destination for each, known by its subscription."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from accounts.encryption import WrongKey
from accounts.models import Person
from wallboard.notifications import destinations
from wallboard.notifications.channels import webpush
from wallboard.notifications.models import Channel, Destination

BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac", "Mac"),
    ("Linux", "Linux"),
)


class TooMany(Exception):
    """The person has as many destinations as anybody may have."""


def subscribe(person: Person, subscription: Any, user_agent: str, old_endpoint: str = "") -> Destination:
    """Push to this browser from now on, and to nobody else through it: the last one to turn it on is whom it tells.

    Raises webpush.BadSubscription, Refused and TooMany.
    """
    address = webpush.address_from(subscription)
    for stored in _with_endpoint(address["endpoint"]):
        if (stored.person_id, stored.user_id) != (person.pk, person.user_id):
            destinations.remove(stored)
    found = of(person, address["endpoint"]) or of(person, old_endpoint)
    if found is not None:
        destinations.set_address(found, address)
        destinations.switch(found, on=True)
        return found
    if destinations.of_person(person).count() >= destinations.MOST_PER_PERSON:
        raise TooMany
    return destinations.add(person.domain, Channel.PUSH, device_name(user_agent), address, person)


def end(person: Person, endpoint: str) -> None:
    """Push nothing more to this browser."""
    found = of(person, endpoint)
    if found is not None:
        destinations.remove(found)


def of(person: Person, endpoint: str) -> Destination | None:
    """This browser of this person, if messages are pushed to it."""
    own = destinations.of_person(person).filter(channel=Channel.PUSH)
    return next((each for each in own if endpoint and _endpoint_of(each) == endpoint), None)


def device_name(user_agent: str) -> str:
    """What people call the browser: "Chrome on Android"."""
    browser = next((name for part, name in BROWSERS if part in user_agent), _("A browser"))
    system = next((name for part, name in SYSTEMS if part in user_agent), "")
    return _("%(browser)s on %(system)s") % {"browser": browser, "system": system} if system else browser


def _with_endpoint(endpoint: str) -> Iterator[Destination]:
    # Addresses are sealed, so they cannot be searched; there are a few hundred of them at most.
    for each in Destination.objects.filter(channel=Channel.PUSH):
        if _endpoint_of(each) == endpoint:
            yield each


def _endpoint_of(destination: Destination) -> str:
    try:
        address = destinations.open_address(destination)
    except WrongKey:
        return ""
    return "" if isinstance(address, str) else str(address.get("endpoint", ""))
