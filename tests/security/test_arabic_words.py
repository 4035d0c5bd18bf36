"""No English word on any page in Arabic, whose letters are others: names of programs and protocols only."""

import re

import pytest
from django.utils import translation

from accounts.languages import catalogues
from accounts.models import Domain, User
from tests.harness import pseudo
from tests.security.company import Company
from tests.security.test_every_page import pages_of
from tests.security.test_every_text import SERVICES, own_words

LATIN = re.compile(r"[A-Za-z]{2,}")
PROGRAMS = (
    "JavaScript webhook webhooks Webhook Webhooks Sentinel worker beat apprise Call Centre Helper Talkdesk Live "
    "Aircall Genesys Cloud"
)
PROTOCOLS = "https http SIP queue metrics CardDAV DNS PKCE SMTP JSON Standard Webhooks client credentials"
KEYS = "Tab Shift Page Up Down Home End Enter Esc Ctrl Delete"
FIELDS = "is_human false true to user id PUBLIC_URL SMTP_URL"
EXAMPLES = "Christmas"
KNOWN = {*re.findall(r"[A-Za-z]{2,}", " ".join((PROGRAMS, SERVICES, PROTOCOLS, KEYS, FIELDS, EXAMPLES)))}
KNOWN |= {word for name in catalogues.OWN_NAMES.values() for word in LATIN.findall(name)}
KNOWN |= {"Espa", "ol", "Fran", "ais"}  # parts of languages' own names around other letters


@pytest.mark.django_db
@pytest.mark.one_database
def test_no_english_word_stands_on_a_page_in_arabic(ours: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    User.objects.update(language="ar")
    Domain.objects.update(language="ar")
    monkeypatch.setattr(pseudo, "WORD", LATIN)
    with translation.override("ar"):  # nothing of it stays for the tests that follow
        pages, data = pages_of(ours), own_words(ours)

    found = {
        f"{shown.name}: {words}"
        for shown in pages
        for each in pseudo.outside_gettext(shown.answer.content.decode(), data)
        if (words := [word for word in LATIN.findall(re.sub(data, " ", each.partition(": ")[2])) if word not in KNOWN])
    }

    assert found == set()
    assert all('dir="rtl"' in shown.answer.content.decode() for shown in pages if shown.name == "alerts:alerts")
