"""Which language somebody reads: by their own choice, else as their browser asks, else as their company set it."""

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from django.conf import settings
from django.db import Error as DatabaseError
from django.http import HttpRequest
from django.utils import translation
from django.utils.translation.trans_real import parse_accept_lang_header

from accounts.models import Domain, Person, User

REGIONAL = re.compile(r"[a-z]{2,3}-(?:[a-z]{2}|[0-9]{3})")  # browsers throw an error for what is no locale


def is_offered(code: str) -> bool:
    """Whether there is a catalogue of that language."""
    return any(code == each for each, _name in settings.LANGUAGES)


def first_offered(*codes: str) -> str:
    """The first of these that there is a catalogue of, else the language of the installation."""
    return next(filter(is_offered, codes), settings.LANGUAGE_CODE)


def choices(default: object) -> list[tuple[str, str]]:
    """All that can be chosen, each in its own words, after `default` for no choice."""
    return [("", str(default)), *settings.LANGUAGES]


def of_company(domain: Domain) -> str:
    """What the company as a whole is written to in: chats, webhooks, TVs without a language of their own."""
    return first_offered(domain.language)


def of_receiver(person: Person | None, domain: Domain) -> str:
    """What a message is written in: the person's own choice, else the company's."""
    own = person.user.language if person is not None and person.user is not None else ""
    return first_offered(own, domain.language)


def of_browser(request: HttpRequest) -> str:
    """The first language that the browser asks for and there is a catalogue of; "" for none."""
    for code, _weight in parse_accept_lang_header(request.headers.get("Accept-Language", "")):
        if code == "*":
            break
        with suppress(LookupError):
            return translation.get_supported_language_variant(code)
    return ""


def locale_of(request: HttpRequest | None) -> str:
    """The language of the page for scripts: by the customs of the country that the browser names with it, and with the
    digits that figures have everywhere.
    """
    language = translation.get_language() or settings.LANGUAGE_CODE
    asked = parse_accept_lang_header(request.headers.get("Accept-Language", "")) if request is not None else ()
    codes = (code for code, _weight in asked if REGIONAL.fullmatch(code) and code.startswith(f"{language}-"))
    return f"{next(codes, language)}-u-nu-latn"


def of_request(request: HttpRequest) -> str:
    """What a page is written in. Without a database it is the browser's."""
    browser = of_browser(request)
    try:
        user = request.user if hasattr(request, "user") and request.user.is_authenticated else None
        if user is not None and is_offered(user.language):
            return user.language
        # Programs and probes ask for none, and no statement is run for them.
        if not browser and "Accept-Language" in request.headers:
            return _company_of(user)
    except DatabaseError:
        pass
    return browser or settings.LANGUAGE_CODE


def of_only_company() -> str:
    """The language of the installation's company, where it has a single one and the database answers."""
    try:
        return _company_of(None)
    except DatabaseError:
        return settings.LANGUAGE_CODE


def _company_of(user: User | None) -> str:
    """The company's language: of the one that the user belongs to, or of the only one of the installation."""
    domains = Domain.objects.filter(is_active=True)
    if user is not None:
        domains = domains.filter(people__user=user)
    found = set(domains.values_list("language", flat=True)[:50])
    return first_offered(found.pop()) if len(found) == 1 else settings.LANGUAGE_CODE


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Texts are of that language inside; with "" the language stays as it is."""
    if not code:
        yield
        return
    with translation.override(code):
        yield


@contextmanager
def page_in(request: HttpRequest, code: str) -> Iterator[None]:
    """The page that is made inside is in that language, whoever asks; with "", or one that is gone, in theirs."""
    wanted = code if is_offered(code) else ""
    with speaking(wanted):
        request.LANGUAGE_CODE = wanted or request.LANGUAGE_CODE
        yield


def choose(user: User, code: str) -> None:
    """Keep somebody's own choice; "" is none."""
    user.language = code if is_offered(code) else ""
    user.save(update_fields=["language"])
