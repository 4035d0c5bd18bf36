"""Tokens: renewed in time, kept before use, asked for with patience."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts import leases
from accounts.models import CompanyToken, Domain, Grant, User
from accounts.signin import login, sessions
from accounts.tokens import clients, refresh
from tests.accounts.conftest import Provider
from wallboard.telephony import errors, oauth

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


@pytest.fixture
def company(domain: Domain) -> clients.CompanyTokenSource:
    return clients.CompanyTokenSource(CompanyToken.objects.create(domain=domain))


def make_grant(domain: Domain, refresh_token: str = "refresh-0", minutes: float = 60) -> Grant:
    user = User.objects.create(username="main-101")
    token = oauth.Token("access-0", timezone.now() + timedelta(minutes=minutes), refresh_token)
    return login.store_grant(domain, user, token)


def test_company_token_is_fetched_once_and_kept_sealed(company: clients.CompanyTokenSource, provider: Provider) -> None:
    assert [company(), company()] == ["access-1", "access-1"]

    assert len(provider.forms) == 1
    assert provider.forms[0]["client_secret"] == "canary-company-secret"
    assert "access-1" not in CompanyToken.objects.get().access_token


def test_token_is_renewed_a_minute_before_it_ends(company: clients.CompanyTokenSource, provider: Provider) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        company()
        clock.shift(3599 - 61)
        assert company() == "access-1"

        clock.shift(2)

        assert company() == "access-2"


def test_short_lived_token_is_used_for_half_its_life(company: clients.CompanyTokenSource, provider: Provider) -> None:
    provider.extra = {"expires_in": 40}
    with time_machine.travel(NOON, tick=False) as clock:
        company()
        clock.shift(19)
        assert company() == "access-1"

        clock.shift(2)

        assert company() == "access-2"


def test_rejected_token_is_replaced_once_for_all_who_met_the_rejection(
    company: clients.CompanyTokenSource, provider: Provider
) -> None:
    company()

    assert [company("access-1"), company("access-1"), company()] == ["access-2", "access-2", "access-2"]
    assert len(provider.forms) == 2


def test_new_credentials_end_the_pause(company: clients.CompanyTokenSource, domain: Domain, provider: Provider) -> None:
    provider.refusal = 401, {}
    with pytest.raises(errors.NotAuthorized):
        company()
    provider.refusal = None

    clients.forget_company_token(domain)

    assert company() == "access-2"


def test_endpoint_in_trouble_is_asked_ever_more_rarely(company: clients.CompanyTokenSource, provider: Provider) -> None:
    provider.refusal = 500, {}
    with time_machine.travel(NOON, tick=False) as clock:
        for _ in range(600):
            with pytest.raises(errors.Unreachable):
                company()
            clock.shift(1)

    assert 10 <= len(provider.forms) <= 30


def test_grant_is_refreshed_and_the_rotated_refresh_token_kept(domain: Domain, provider: Provider) -> None:
    keeper = clients.GrantTokenSource(make_grant(domain, minutes=0.5))
    with time_machine.travel(timezone.now() + timedelta(hours=2)):
        assert keeper() == "access-1"

    assert provider.refreshes[0]["refresh_token"] == "refresh-0"
    assert Grant.objects.get().refresh_token.open() == "refresh-1"


def test_grant_keeps_its_refresh_token_when_the_provider_does_not_rotate(domain: Domain, provider: Provider) -> None:
    provider.rotates = False
    grant = make_grant(domain)
    issued_at = grant.refresh_issued_at

    assert clients.GrantTokenSource(grant)("access-0") == "access-1"

    grant.refresh_from_db()
    assert grant.refresh_token.open() == "refresh-0"
    assert grant.refresh_issued_at == issued_at


def test_refused_refresh_ends_sessions_and_is_never_tried_again(
    domain: Domain, provider: Provider, closed: list[int], django_capture_on_commit_callbacks: object
) -> None:
    grant = make_grant(domain)
    provider.refusal = 400, {"error": "invalid_grant"}
    with django_capture_on_commit_callbacks(execute=True), pytest.raises(errors.GrantRefused):  # type: ignore[operator]
        clients.GrantTokenSource(grant)("access-0")
    with time_machine.travel(timezone.now() + timedelta(hours=2)), pytest.raises(errors.GrantRefused):
        clients.GrantTokenSource(grant)()

    grant.refresh_from_db()
    assert len(provider.forms) == 1
    assert (grant.access_token, grant.refresh_token) == ("", "")
    assert User.objects.get().session_round == 1
    assert closed == [grant.user_id]


def test_grant_without_refresh_token_ends_with_its_access_token(domain: Domain, provider: Provider) -> None:
    grant = make_grant(domain, refresh_token="")
    keeper = clients.GrantTokenSource(grant)
    assert keeper() == "access-0"

    with time_machine.travel(timezone.now() + timedelta(hours=2)), pytest.raises(errors.GrantRefused):
        keeper()

    assert provider.forms == []


def test_ninety_days_after_sign_in_no_refresh_is_tried(domain: Domain, provider: Provider) -> None:
    keeper = clients.GrantTokenSource(make_grant(domain))

    with time_machine.travel(timezone.now() + timedelta(days=91)), pytest.raises(errors.GrantRefused):
        keeper()

    assert provider.forms == []


def test_late_answer_does_not_overwrite_a_newer_sign_in(
    domain: Domain, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    grant = make_grant(domain)

    def slowly(*_: object) -> oauth.Token:
        login.store_grant(
            domain, grant.user, oauth.Token("newer", timezone.now() + timedelta(hours=1), "newer-refresh")
        )
        return oauth.Token("older", timezone.now() + timedelta(hours=1), "older-refresh")

    monkeypatch.setattr("accounts.tokens.clients.oauth.refresh", slowly)

    assert clients.GrantTokenSource(grant)("access-0") == "newer"
    assert Grant.objects.get().refresh_token.open() == "newer-refresh"


def test_others_wait_only_so_long_for_the_one_who_asks(
    company: clients.CompanyTokenSource, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refresh, "WAIT_SECONDS", 0.2)
    assert leases.acquire(company.lease_name, 30)

    with pytest.raises(errors.Unreachable):
        company()

    assert provider.forms == []


def test_signing_in_anew_revives_a_refused_grant(domain: Domain, provider: Provider) -> None:
    grant = make_grant(domain)
    clients.refuse(grant)

    login.store_grant(domain, grant.user, oauth.Token("again", timezone.now() + timedelta(hours=1), "refresh-9"))

    assert clients.GrantTokenSource(grant)() == "again"


def test_sessions_module_counts_no_anonymous_visitors(db: None) -> None:
    assert sessions.live_user_ids() == set()


def test_pause_does_not_outlive_a_clock_that_was_set_back(
    company: clients.CompanyTokenSource, provider: Provider
) -> None:
    provider.refusal = 500, {}
    with time_machine.travel(NOON, tick=False) as clock:
        with pytest.raises(errors.Unreachable):
            company()
        provider.refusal = None

        clock.shift(-1200)

        assert company() == "access-2"


def test_rejected_token_is_replaced_though_the_last_replacement_lies_ahead(
    company: clients.CompanyTokenSource, provider: Provider
) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        assert company(company()) == "access-2"

        clock.shift(-1200)

        assert company("access-2") == "access-3"
