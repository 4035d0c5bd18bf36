"""A site at which browsers take passkeys, and somebody who has one."""

from typing import Any
from urllib.parse import urlsplit

import pytest

from accounts.models import Domain, User
from accounts.signin.start_throttle import StartThrottle
from accounts.views import passkeys as views
from tests.accounts.keys import added, local, signed_in
from tests.harness.authenticator import SoftKey

PUBLIC_URL = "https://wallboard.example.com"


@pytest.fixture
def named_site(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """At a name with https, as browsers want it; test clients speak http all the same."""
    settings.PUBLIC_URL, settings.PUBLIC = PUBLIC_URL, urlsplit(PUBLIC_URL)
    monkeypatch.setattr(views, "tries", StartThrottle(views.MOST_TRIES))


@pytest.fixture
def ada(named_site: None, domain: Domain) -> User:
    return local(domain)


@pytest.fixture
def key(ada: User) -> SoftKey:
    return added(signed_in(ada))
