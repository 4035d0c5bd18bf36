"""The company's own domain is learned from its calls, where they leave no doubt."""

import pytest

from accounts.models import AuditEntry, Domain
from tests.calls.conftest import Deliver
from tests.calls.events import event
from wallboard.calls.subscriptions import provider_domain


def call(number: int, source: str | None, target: str | None) -> bytes:
    body = event("ended", call=f"c{number}", caller_user="201" if source else None)
    body = body.replace(b'"domain": null', f'"domain": "{source}"'.encode()) if source else body
    return body.replace(b'"domain": "example.org"', f'"domain": "{target}"'.encode() if target else b'"domain": null')


@pytest.mark.parametrize(
    ("calls", "learned"),
    [
        ([], ""),
        ([(None, "acme.test")], ""),
        ([(None, None)] * 5, ""),
        ([("acme.test", "Acme.test")], "acme.test"),
        ([(None, "acme.test"), ("acme.test", None), (None, "acme.test")], "acme.test"),
        ([("rival.test", "acme.test"), ("acme.test", "other.test"), (None, "acme.test")], "acme.test"),
        ([("rival.test", "acme.test")] * 3, ""),
        ([("acme.test", "acme.test"), (None, "branch.test")], ""),
    ],
)
def test_the_domain_that_all_calls_have_in_common_is_ours(
    domain: Domain, deliver: Deliver, calls: list[tuple[str | None, str | None]], learned: str
) -> None:
    deliver(*(call(number, *sides) for number, sides in enumerate(calls)))

    assert provider_domain.learn(domain) == learned
    assert Domain.objects.get().provider_domain == learned
    assert AuditEntry.objects.filter(what="provider domain learned").count() == bool(learned)


def test_what_an_administrator_entered_stays(domain: Domain, deliver: Deliver) -> None:
    Domain.objects.update(provider_domain="mine.test")
    domain.refresh_from_db()
    deliver(call(1, "mine.test", "mine.test"))

    assert provider_domain.learn(domain) == "mine.test"
    assert AuditEntry.objects.count() == 0


def test_the_domains_that_calls_name_are_there_to_choose_from(domain: Domain, deliver: Deliver) -> None:
    deliver(call(1, "a.test", "a.test"), call(2, None, "b.test"), call(3, None, None))

    assert provider_domain.candidates(domain) == ["a.test", "b.test"]
