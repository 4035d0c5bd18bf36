"""Host names of companies, which come and go while processes run: Django's list of hosts follows them."""

from urllib.parse import urlsplit

from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError
from django.http import HttpRequest
from django.http.request import split_domain_port, validate_host

from accounts.models import Domain

KEY = "hosts-of-companies"
FRESH_SECONDS = 2  # how late a process may notice what another one changed
_followed: set[str] = set()


def by_name() -> dict[str, int]:
    """Every company with a host of its own: {host: its id}."""
    found: dict[str, int] | None = cache.get(KEY)
    if found is None:
        rows = Domain.objects.exclude(host=None).values_list("host", "pk")
        found = {host: pk for host, pk in rows if host}
        cache.set(KEY, found, FRESH_SECONDS)
    return found


def forget() -> None:
    """A host was changed in this process."""
    cache.delete(KEY)


def of_settings() -> list[str]:
    """The hosts that the settings name, which no company can have."""
    previous = urlsplit(settings.PREVIOUS_URL).hostname  # leads on only, so a company can have it (editing.py)
    free = () if previous in (settings.PUBLIC.hostname, *settings.FURTHER_HOSTS) else (previous,)
    return [name for name in settings.ALLOWED_HOSTS if name not in _followed and name not in free]


def origins_at(header: str) -> list[str]:
    """The origins whose pages may use what is at this host: at a company's its own, else those of the settings.

    Never those of other companies: whoever has their name in DNS can put pages of another server there.
    """
    name = name_of(header)
    return [origin_of(each) for each in ([name] if name in _followed else of_settings()) if each != "*"]


def is_settled(header: str) -> bool:
    """Whether this Host header is one that the settings name: nothing to look up then."""
    name = name_of(header)
    return name not in _followed and (not name or validate_host(name, settings.ALLOWED_HOSTS))


def follow(header: str) -> None:
    """Let a company's host in, and one that no longer is any out again. Asks the database."""
    if is_settled(header):
        return
    name = name_of(header)
    try:
        is_known = name in by_name()
    except DatabaseError:
        return  # what was known goes on
    if is_known and name not in _followed:
        _followed.add(name)
        settings.ALLOWED_HOSTS.append(name)
    elif not is_known and name in _followed:
        _followed.discard(name)
        settings.ALLOWED_HOSTS.remove(name)


def name_of(header: str) -> str:
    """The host of a Host header, "" where it makes no sense."""
    return str(split_domain_port(header)[0])


def origin_of(name: str) -> str:
    """The origin of pages at this host: scheme and port are those of the installation."""
    return f"{settings.PUBLIC.scheme}://{name}{settings.PORT_PART}"


def company_at(request: HttpRequest) -> int | None:
    """The company whose own host was asked for; None at the installation's."""
    name = name_of(request.META.get("HTTP_HOST", ""))
    return by_name().get(name) if name in _followed else None


def is_elsewhere(request: HttpRequest, domain_id: int) -> bool:
    """Whether this is the host of another company: nothing of this one is shown there, whoever holds the link to it.

    Else its boards and their texts would stand under the name of the other.
    """
    return company_at(request) not in (None, domain_id)
