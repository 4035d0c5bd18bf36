"""Two companies with the same shape, and a browser of every kind of visitor in each."""

from pathlib import Path
from typing import Any

import pytest

from accounts.signin import start_throttle
from accounts.views import passkeys
from tests.security.company import Company, made
from wallboard.calls.subscriptions import maintenance
from wallboard.queues import polling
from wallboard.screens import pairing
from wallboard.setup.views import first, start


@pytest.fixture(autouse=True)
def plain_static_files(settings: Any, tmp_path: Path) -> None:
    """Static files under their own names: nothing is collected for these tests."""
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }


@pytest.fixture
def ours(db: None) -> Company:
    return made("alfa")


@pytest.fixture
def theirs(db: None) -> Company:
    return made("zulu")


@pytest.fixture(autouse=True)
def asked_of_the_provider(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Nothing goes to the provider; here stands for which companies something would have gone there."""
    companies: list[int] = []
    monkeypatch.setattr(polling, "poll_now", lambda domain: companies.append(domain.pk))
    monkeypatch.setattr(maintenance, "check", lambda domain: companies.append(domain.pk))
    return companies


@pytest.fixture(autouse=True)
def fresh_throttles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every address is asked again and again from one machine: no test is refused for what others asked before."""
    for throttle in (first.tries, start.tries, passkeys.tries, start_throttle.sign_ins, pairing.starts):
        monkeypatch.setattr(throttle, "_counter", start_throttle.WindowCounter())
