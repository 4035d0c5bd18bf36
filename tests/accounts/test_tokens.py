"""Tokens: renewed in time, kept before use, asked for with patience."""

import logging
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import pytest
import responses
import time_machine
from django.utils import timezone

from accounts import keeping, leases, login, sessions, tokens
from accounts.models import CompanyToken, Domain, Grant, User
from tests.accounts.conftest import PROVIDER, Provider
from wallboard.telephony import errors, oauth

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


@pytest.fixture
def company(domain: Domain) -> tokens.CompanyKeeper:
    return tokens.CompanyKeeper(CompanyToken.objects.create(domain=domain))


def make_grant(domain: Domain, refresh_token: str = "refresh-0", minutes: float = 60) -> Grant:
    user = User.objects.create(username="main-101")
    token = oauth.Token("access-0", timezone.now() + timedelta(minutes=minutes), refresh_token)
    return login.keep(domain, user, token)


def test_company_token_is_fetched_once_and_kept_sealed(company: tokens.CompanyKeeper, provider: Provider) -> None:
    assert [company(), company()] == ["access-1", "access-1"]

    assert len(provider.forms) == 1
    assert provider.forms[0]["client_secret"] == "canary-company-secret"
    assert "access-1" not in CompanyToken.objects.get().access_token


def test_token_is_renewed_a_minute_before_it_ends(company: tokens.CompanyKeeper, provider: Provider) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        company()
        clock.shift(3599 - 61)
        assert company() == "access-1"

        clock.shift(2)

        assert company() == "access-2"


def test_short_lived_token_is_used_for_half_its_life(company: tokens.CompanyKeeper, provider: Provider) -> None:
    provider.extra = {"expires_in": 40}
    with time_machine.travel(NOON, tick=False) as clock:
        company()
        clock.shift(19)
        assert company() == "access-1"

        clock.shift(2)

        assert company() == "access-2"


def test_token_dead_on_arrival_is_tried_once_and_the_endpoint_left_in_peace(
    company: tokens.CompanyKeeper, provider: Provider
) -> None:
    provider.extra = {"expires_in": 0}
    with time_machine.travel(NOON, tick=False):
        assert company() == "access-1"

        with pytest.raises(errors.BadResponse):
            company()

    assert len(provider.forms) == 1


def test_rejected_token_is_replaced_once_for_all_who_met_the_rejection(
    company: tokens.CompanyKeeper, provider: Provider
) -> None:
    company()

    assert [company("access-1"), company("access-1"), company()] == ["access-2", "access-2", "access-2"]
    assert len(provider.forms) == 2


def test_api_that_refuses_every_token_costs_two_token_calls_in_five_minutes(
    company: tokens.CompanyKeeper, provider: Provider
) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        for _ in range(59):
            with suppress(errors.NotAuthorized):
                company(company())
            clock.shift(5)
        assert len(provider.forms) == 2

        clock.shift(600)

        assert company() == "access-3"


def test_api_that_refuses_every_token_is_asked_twice_in_five_minutes(
    domain: Domain, provider: Provider, http: responses.RequestsMock
) -> None:
    stats = http.get(f"{PROVIDER}/api/call_queues/stats/live/", status=401)
    with time_machine.travel(NOON, tick=False) as clock:
        for _ in range(59):
            with pytest.raises(errors.NotAuthorized):
                tokens.company_client(domain).queue_stats()
            clock.shift(5)

    assert (stats.call_count, len(provider.forms)) == (2, 2)


def test_call_that_a_token_may_not_make_is_no_reason_to_distrust_it(
    domain: Domain, provider: Provider, http: responses.RequestsMock
) -> None:
    http.get(f"{PROVIDER}/api/call_queues/stats/live/", status=403)
    for _ in range(3):
        with pytest.raises(errors.NotAuthorized):
            tokens.company_client(domain).queue_stats()

    assert tokens.CompanyKeeper(CompanyToken.objects.get())() == "access-1"
    assert len(provider.forms) == 1


def test_refused_credentials_are_asked_again_only_after_five_minutes(
    company: tokens.CompanyKeeper, provider: Provider, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "accounts.keeping")
    provider.refusal = 401, {"error": "invalid_client"}
    with time_machine.travel(NOON, tick=False) as clock:
        for _ in range(59):
            with pytest.raises(errors.NotAuthorized):
                company()
            clock.shift(5)
        assert len(provider.forms) == 1

        clock.shift(10)
        provider.refusal = None

        assert company() == "access-2"
    assert [record.levelname for record in caplog.records] == ["WARNING", "INFO"]


def test_new_credentials_end_the_pause(company: tokens.CompanyKeeper, domain: Domain, provider: Provider) -> None:
    provider.refusal = 401, {}
    with pytest.raises(errors.NotAuthorized):
        company()
    provider.refusal = None

    tokens.forget_company_token(domain)

    assert company() == "access-2"


def test_endpoint_in_trouble_is_asked_ever_more_rarely(company: tokens.CompanyKeeper, provider: Provider) -> None:
    provider.refusal = 500, {}
    with time_machine.travel(NOON, tick=False) as clock:
        for _ in range(600):
            with pytest.raises(errors.Unreachable):
                company()
            clock.shift(1)

    assert 10 <= len(provider.forms) <= 30


def test_grant_is_refreshed_and_the_rotated_refresh_token_kept(domain: Domain, provider: Provider) -> None:
    keeper = tokens.GrantKeeper(make_grant(domain, minutes=0.5))
    with time_machine.travel(timezone.now() + timedelta(hours=2)):
        assert keeper() == "access-1"

    assert provider.refreshes[0]["refresh_token"] == "refresh-0"
    assert Grant.objects.get().refresh_token.open() == "refresh-1"


def test_grant_keeps_its_refresh_token_when_the_provider_does_not_rotate(domain: Domain, provider: Provider) -> None:
    provider.rotates = False
    grant = make_grant(domain)
    issued_at = grant.refresh_issued_at

    assert tokens.GrantKeeper(grant)("access-0") == "access-1"

    grant.refresh_from_db()
    assert grant.refresh_token.open() == "refresh-0"
    assert grant.refresh_issued_at == issued_at


def test_refused_refresh_ends_sessions_and_is_never_tried_again(
    domain: Domain, provider: Provider, closed: list[int], django_capture_on_commit_callbacks: object
) -> None:
    grant = make_grant(domain)
    provider.refusal = 400, {"error": "invalid_grant"}
    with django_capture_on_commit_callbacks(execute=True), pytest.raises(errors.GrantRefused):  # type: ignore[operator]
        tokens.GrantKeeper(grant)("access-0")
    with time_machine.travel(timezone.now() + timedelta(hours=2)), pytest.raises(errors.GrantRefused):
        tokens.GrantKeeper(grant)()

    grant.refresh_from_db()
    assert len(provider.forms) == 1
    assert (grant.access_token, grant.refresh_token) == ("", "")
    assert User.objects.get().session_round == 1
    assert closed == [grant.user_id]


def test_grant_without_refresh_token_ends_with_its_access_token(domain: Domain, provider: Provider) -> None:
    grant = make_grant(domain, refresh_token="")
    keeper = tokens.GrantKeeper(grant)
    assert keeper() == "access-0"

    with time_machine.travel(timezone.now() + timedelta(hours=2)), pytest.raises(errors.GrantRefused):
        keeper()

    assert provider.forms == []


def test_ninety_days_after_sign_in_no_refresh_is_tried(domain: Domain, provider: Provider) -> None:
    keeper = tokens.GrantKeeper(make_grant(domain))

    with time_machine.travel(timezone.now() + timedelta(days=91)), pytest.raises(errors.GrantRefused):
        keeper()

    assert provider.forms == []


def test_late_answer_does_not_overwrite_a_newer_sign_in(
    domain: Domain, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    grant = make_grant(domain)

    def slowly(*_: object) -> oauth.Token:
        login.keep(domain, grant.user, oauth.Token("newer", timezone.now() + timedelta(hours=1), "newer-refresh"))
        return oauth.Token("older", timezone.now() + timedelta(hours=1), "older-refresh")

    monkeypatch.setattr("accounts.tokens.oauth.refresh", slowly)

    assert tokens.GrantKeeper(grant)("access-0") == "newer"
    assert Grant.objects.get().refresh_token.open() == "newer-refresh"


def test_others_wait_only_so_long_for_the_one_who_asks(
    company: tokens.CompanyKeeper, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "WAIT_SECONDS", 0.2)
    assert leases.acquire(company.lease_name, 30)

    with pytest.raises(errors.Unreachable):
        company()

    assert provider.forms == []


def test_signing_in_anew_revives_a_refused_grant(domain: Domain, provider: Provider) -> None:
    grant = make_grant(domain)
    tokens.refuse(grant)

    login.keep(domain, grant.user, oauth.Token("again", timezone.now() + timedelta(hours=1), "refresh-9"))

    assert tokens.GrantKeeper(grant)() == "again"


def test_sessions_module_counts_no_anonymous_visitors(db: None) -> None:
    assert sessions.live_user_ids() == set()


def test_pause_does_not_outlive_a_clock_that_was_set_back(company: tokens.CompanyKeeper, provider: Provider) -> None:
    provider.refusal = 500, {}
    with time_machine.travel(NOON, tick=False) as clock:
        with pytest.raises(errors.Unreachable):
            company()
        provider.refusal = None

        clock.shift(-1200)

        assert company() == "access-2"


def test_rejected_token_is_replaced_though_the_last_replacement_lies_ahead(
    company: tokens.CompanyKeeper, provider: Provider
) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        assert company(company()) == "access-2"

        clock.shift(-1200)

        assert company("access-2") == "access-3"
