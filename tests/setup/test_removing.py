"""A company that is removed takes everything of its own along, and nothing of another's."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.companies import editing
from accounts.models import AuditEntry, Domain, User
from tests.security.company import made
from tests.security.test_matrix import rows
from wallboard.calls.models import Delivery, Subscription
from wallboard.setup import removing

pytestmark = pytest.mark.django_db


def test_everything_of_it_goes_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = made("alfa"), made("zulu")
    theirs_before, users = rows(theirs), User.objects.filter(username__startswith="zulu").count()
    monkeypatch.setattr(removing, "PIECE", 2)
    editing.ask_removal(ours.domain, ours.domain.name)

    removing.go_on()

    assert list(Domain.objects.all()) == [theirs.domain]
    assert rows(theirs) == theirs_before
    assert Delivery.objects.count() == 1
    assert User.objects.filter(username__startswith="zulu").count() == users
    left = User.objects.filter(username__startswith="alfa").values_list("username", flat=True)
    assert list(left) == ["alfa-root"]
    assert AuditEntry.objects.filter(what="company removed", company="alfa").exists()


def test_it_waits_for_the_provider_but_not_for_ever() -> None:
    ours = made("alfa")
    Subscription.objects.update(provider_id="77")
    editing.ask_removal(ours.domain, ours.domain.name)

    removing.go_on()
    waits = Domain.objects.exists()
    Domain.objects.update(removal_at=timezone.now() - removing.PATIENCE - timedelta(seconds=1))
    removing.go_on()

    assert waits
    assert not Domain.objects.exists()


def test_it_goes_on_where_it_had_to_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = made("alfa")
    editing.ask_removal(ours.domain, ours.domain.name)
    monkeypatch.setattr(removing, "WORK_SECONDS", -1.0)
    passes = 0
    while Domain.objects.exists() and passes < 200:
        removing.go_on()
        passes += 1

    assert not Domain.objects.exists()
    assert passes > 5


def test_a_company_that_nobody_removes_stays() -> None:
    ours = made("alfa")
    ours.domain.is_active = False
    ours.domain.save()
    before = rows(ours)

    removing.go_on()

    assert rows(ours) == before
    assert Client().get("/screen/").status_code == 403
