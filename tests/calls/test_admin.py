"""The admin shows calls and subscriptions, plans checks and rotations, and never shows a secret."""

from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import Permission
from django.test import Client

from accounts.models import Domain, User
from tests.calls.conftest import SECRETS, Deliver
from tests.calls.events import event, record
from wallboard.calls.models import Subscription

MODELS = ("subscription", "delivery", "leg", "record")


@pytest.fixture
def superuser(db: None, settings: Any) -> Client:
    Path(settings.STATIC_ROOT).mkdir(parents=True, exist_ok=True)
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }
    client = Client()
    client.force_login(User.objects.create_superuser("root"))
    return client


def first_of(model: str) -> int:
    return int(apps.get_model("calls", model).objects.order_by("pk").values_list("pk", flat=True)[0])


@pytest.mark.parametrize("model", MODELS)
def test_rows_are_listed_and_shown_without_secrets(
    superuser: Client, subscription: Subscription, deliver: Deliver, model: str
) -> None:
    deliver(event("ringing"), record())

    listed = superuser.get(f"/admin/calls/{model}/?q=c1")
    shown = superuser.get(f"/admin/calls/{model}/{first_of(model)}/change/")

    assert (listed.status_code, shown.status_code) == (200, 200)
    subscription.refresh_from_db()
    for secret in (
        SECRETS["calls"],
        subscription.secret_hash,
        str(subscription.secret),
        str(subscription.request_body),
    ):
        assert secret not in listed.content.decode() + shown.content.decode()


@pytest.mark.parametrize("model", MODELS)
def test_nothing_is_written_by_hand(superuser: Client, subscription: Subscription, model: str) -> None:
    assert superuser.get(f"/admin/calls/{model}/add/").status_code == 403


def act(client: Client, action: str, subscription: Subscription) -> str:
    answer = client.post(
        "/admin/calls/subscription/", {"action": action, "_selected_action": [subscription.pk]}, follow=True
    )
    return answer.content.decode()


def test_a_check_can_be_brought_forward(superuser: Client, domain: Domain, subscription: Subscription) -> None:
    assert "checked within seconds" in act(superuser, "check_now", subscription)

    assert Subscription.objects.get().must_check is True


def test_an_address_can_be_replaced_once_at_a_time(
    superuser: Client, domain: Domain, subscription: Subscription
) -> None:
    assert "1 new address is being set up" in act(superuser, "rotate_address", subscription)
    assert "0 new addresses" in act(superuser, "rotate_address", subscription)

    newest = domain.subscriptions.order_by("-pk")[0]
    assert domain.subscriptions.count() == 2
    assert (newest.kind, newest.state) == ("calls", "new")
    assert newest.secret_hash != subscription.secret_hash


def test_who_may_only_look_gets_no_actions(superuser: Client, subscription: Subscription) -> None:
    viewer = User.objects.create_user("viewer", is_staff=True)
    viewer.user_permissions.add(Permission.objects.get(codename="view_subscription"))
    superuser.force_login(viewer)

    page = act(superuser, "check_now", subscription)

    assert "check_now" not in page
    assert Subscription.objects.get().must_check is False
