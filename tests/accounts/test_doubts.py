"""A refresh that is refused without a word about why: believed in the end, never at once."""

from contextlib import suppress
from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts.models import Domain, Grant, User
from accounts.tokens import clients
from tests.accounts.conftest import Provider
from tests.accounts.test_tokens import make_grant
from wallboard.telephony import errors


@pytest.mark.parametrize("refusal", [(400, {"detail": "expired"}), (401, {})])
def test_refresh_refused_without_a_reason_ends_sessions_after_half_an_hour(
    domain: Domain, provider: Provider, refusal: tuple[int, dict[str, object]]
) -> None:
    keeper = clients.GrantTokenSource(make_grant(domain))
    provider.refusal = refusal
    with time_machine.travel(timezone.now() + timedelta(hours=1), tick=False) as clock:
        for _ in range(3):
            with pytest.raises(errors.GrantDoubted):
                keeper()
            clock.shift(600)
        assert (User.objects.get().session_round, Grant.objects.get().refused_at) == (0, None)

        with pytest.raises(errors.GrantRefused):
            keeper()

    assert (User.objects.get().session_round, Grant.objects.get().refresh_token) == (1, "")


def test_doubts_are_counted_from_the_first_in_a_row(domain: Domain, provider: Provider) -> None:
    keeper = clients.GrantTokenSource(make_grant(domain))
    with time_machine.travel(timezone.now() + timedelta(hours=1), tick=False) as clock:
        for status in (500, 400, 500, 400, 400, 400):
            provider.refusal = status, {}
            with suppress(errors.ProviderError):
                keeper()
            clock.shift(600)
        provider.refusal = None

        assert keeper() == "access-7"

    assert User.objects.get().session_round == 0
