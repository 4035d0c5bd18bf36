"""The set-up page says in plain words what is connected, what is not, and what to do."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.checks import run_checks
from django.test import Client, RequestFactory
from django.utils import timezone

from accounts.models import CompanyToken, Domain
from tests.boards.conftest import SignIn
from tests.calls.conftest import arrival, make_subscription
from tests.calls.events import event
from wallboard.boards.models import Board
from wallboard.calls.models import Subscription
from wallboard.calls.subscriptions import maintenance
from wallboard.calls.webhooks import intake
from wallboard.live import clocks
from wallboard.live.clocks import ClockDifference
from wallboard.queues import polling
from wallboard.queues.models import PollState
from wallboard.screens import screens
from wallboard.screens.models import Screen
from wallboard.setup import address_check, status_checks


def polled(domain: Domain, **more: Any) -> None:
    PollState.objects.update_or_create(domain=domain, defaults={"read_at": timezone.now(), **more})


def test_before_the_first_reading_it_says_what_to_start(domain: Domain) -> None:
    check = status_checks.provider(domain)

    assert (check.state, check.label) == ("watch", "waiting")
    assert "Start the worker and beat" in check.advice


def test_a_good_reading_is_connected(domain: Domain) -> None:
    polled(domain)

    assert status_checks.provider(domain).state == "good"


def test_an_old_reading_without_a_failure_means_that_nobody_polls(domain: Domain) -> None:
    polled(domain, read_at=timezone.now() - timedelta(seconds=30))

    assert status_checks.provider(domain).label == "stopped"


@pytest.mark.parametrize(
    "kind",
    [
        *(
            "unreachable",
            "in_trouble",
            "request_refused",
            "rate_limited",
            "unavailable",
            "not_authorized",
            "token_refused",
            "short_lived_token",
            "not_found",
        ),
        *("bad_response", "wrong_key", "new_kind"),
    ],
)
def test_every_failure_has_words_and_advice(domain: Domain, kind: str) -> None:
    polled(domain, failure=kind, failing_since=timezone.now())

    check = status_checks.provider(domain)

    assert (check.state, check.label) == ("late", "failing")
    assert check.summary
    assert check.advice


def test_a_failure_names_the_next_try_and_offers_one_now(
    board: Board, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    soon = timezone.now() + timedelta(seconds=40)
    failing = {"failure": "token_refused", "failing_since": timezone.now(), "not_before": soon}
    polled(board.domain, **failing)
    CompanyToken.objects.create(domain=board.domain, failure="not_authorized", retry_at=soon)
    browser = sign_in("administrator")
    assert {"Next try": soon}.items() <= {
        detail.label: detail.moment for detail in status_checks.provider(board.domain).details
    }.items()
    assert "Try now" in browser.get("/setup/").content.decode()

    tried = []
    monkeypatch.setattr(polling, "poll", lambda domain: tried.append(CompanyToken.objects.get().retry_at))
    browser.post("/setup/poll/")

    assert tried == [None]
    polled(board.domain, failure="", not_before=None)
    assert "Try now" not in browser.get("/setup/").content.decode()


def test_a_subscription_shows_its_state_and_its_times(domain: Domain) -> None:
    now = timezone.now()
    Subscription.objects.create(
        domain=domain, kind="cdrs", state="ready", secret="s", secret_hash="h", expires_at=now, heard_at=now
    )

    check = status_checks.of_kind(domain, Subscription.Kind.RECORDS)

    assert (check.state, check.label) == ("good", "live")
    assert {detail.label: detail.moment for detail in check.details}["Last event"] == now
    assert status_checks.of_kind(domain, Subscription.Kind.CALLS).label == "waiting"


def test_the_redirect_address_is_named(board: Board, sign_in: SignIn) -> None:
    page = sign_in("administrator").get("/setup/").content.decode()

    assert "http://testserver/accounts/callback/" in page
    assert "secret" not in page.replace("client secret", "").replace("CLIENT_SECRET", "").replace("id and secret", "")


def test_the_queues_are_read_at_once(board: Board, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(polling, "poll", lambda domain: polled(domain, failure="unreachable", tried_at=timezone.now()))
    polled(board.domain, not_before=timezone.now() + timedelta(hours=1))

    page = sign_in("administrator").post("/setup/poll/", follow=True).content.decode()

    assert "The provider cannot be reached." in page
    assert PollState.objects.get().not_before is None


def test_the_subscriptions_are_checked_at_once(board: Board, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Domain] = []
    monkeypatch.setattr(maintenance, "check", asked.append)

    sign_in("administrator").post("/setup/check/")

    assert asked == [board.domain]


@pytest.mark.parametrize("path", ["/setup/poll/", "/setup/check/"])
def test_only_administrators_may_ask(board: Board, sign_in: SignIn, path: str) -> None:
    assert sign_in("supervisor").post(path).status_code == 403


@pytest.fixture
def admin(admin_client: Client) -> Client:
    return admin_client


def test_the_admin_site_saves_a_board_through_the_one_function(admin: Client, board: Board) -> None:
    wanted = {"name": "Hall", "theme": "light", "notice": "", "layout": '{"sections": ["queues"]}'}

    response = admin.post(f"/admin/boards/board/{board.pk}/change/", wanted)

    assert response.status_code == 302
    saved = Board.objects.get()
    assert (saved.name, saved.version, saved.layout) == ("Hall", 2, {"sections": ["queues"], "queues": None})


def test_the_admin_site_refuses_a_layout_that_nobody_can_read(admin: Client, board: Board) -> None:
    wanted = {"name": "Hall", "theme": "light", "notice": "", "layout": '{"sections": ["cellar"]}'}

    page = admin.post(f"/admin/boards/board/{board.pk}/change/", wanted).content.decode()

    assert "no such section: cellar" in page
    assert Board.objects.get().version == 1


def test_the_admin_site_keeps_a_board_that_a_tv_shows(admin: Client, board: Board) -> None:
    screen, _ = screens.create(board, "North wall")
    chosen = {"action": "delete_selected", "_selected_action": board.pk, "post": "yes"}

    pages = [
        admin.post(f"/admin/boards/board/{board.pk}/delete/", {"post": "yes"}),
        admin.post("/admin/boards/board/", chosen),
    ]

    assert all("North wall" in page.content.decode() for page in pages)
    assert Screen.objects.get().board == board
    screens.revoke(screen)
    admin.post("/admin/boards/board/", chosen)
    assert not Board.objects.exists()


def test_the_admin_site_never_shows_a_token(admin: Client, board: Board) -> None:
    screen = Screen.objects.create(domain=board.domain, board=board, name="Wall", token_hash="0123abcd" * 8)

    page = admin.get(f"/admin/screens/screen/{screen.pk}/change/").content.decode()

    assert "Wall" in page
    assert screen.token_hash not in page
    assert admin.get("/admin/screens/screen/add/").status_code == 403


def test_the_admin_site_revokes_screens(admin: Client, board: Board) -> None:
    screen = Screen.objects.create(domain=board.domain, board=board, name="Wall", token_hash="x")

    admin.post("/admin/screens/screen/", {"action": "revoke", "_selected_action": [screen.pk]})

    screen.refresh_from_db()
    assert screen.revoked_at is not None


def test_clocks_that_differ_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [ClockDifference("worker two", 6.2), ClockDifference("Redis", -3.0)]
    monkeypatch.setattr(clocks, "differences", lambda: found)

    (check,) = status_checks.clock_differences()

    assert [(detail.label, detail.text) for detail in check.details] == [
        ("worker two", "6 s ahead of this server"),
        ("Redis", "3 s behind this server"),
    ]
    found.clear()
    assert status_checks.clock_differences() == []


@pytest.mark.parametrize(
    ("url", "hops", "headers", "is_told"),
    [
        ("https://w.test", 0, {"X-Forwarded-For": "192.0.2.7"}, True),
        ("https://w.test", 0, {"X-Forwarded-Proto": "https"}, True),
        ("https://w.test", 1, {"X-Forwarded-For": "192.0.2.7"}, False),
        ("https://w.test", 2, {"X-Forwarded-For": "192.0.2.7"}, True),
        ("https://w.test", 1, {}, True),
        ("https://w.test", 0, {}, False),
        ("http://w.test", 0, {"X-Forwarded-For": "192.0.2.7"}, True),
        ("http://w.test", 0, {}, False),
    ],
)
def test_a_proxy_that_is_not_counted_is_told(
    settings: Any, url: str, hops: int, headers: dict[str, str], is_told: bool
) -> None:
    settings.PUBLIC_URL, settings.IS_HTTPS, settings.TRUSTED_PROXIES = url, url.startswith("https"), hops

    request = RequestFactory().get("/setup/", headers=headers)
    request.user = AnonymousUser()
    check = address_check.of(request, Domain())

    assert (check.state == "late" and "TRUSTED_PROXIES" in check.advice) == is_told
    assert check.details[1].text == ("192.0.2.7" if hops == 1 and headers else "127.0.0.1")


@pytest.mark.parametrize(("is_https", "hops", "warnings"), [(True, 0, 1), (True, 1, 0), (False, 0, 0)])
def test_the_deployment_check_warns_of_a_proxy_that_is_not_counted(
    settings: Any, is_https: bool, hops: int, warnings: int
) -> None:
    settings.IS_HTTPS, settings.TRUSTED_PROXIES = is_https, hops

    found = run_checks(include_deployment_checks=True)

    assert len([each for each in found if each.id == "wallboard.W001"]) == warnings


def test_the_domain_at_the_provider_is_shown(domain: Domain) -> None:
    Domain.objects.update(login_client_id="login", provider_domain="")
    domain.refresh_from_db()
    assert "not known yet" in str(status_checks.sign_in(domain).details)

    domain.provider_domain = "acme.test"

    assert "acme.test" in str(status_checks.sign_in(domain).details)


def test_messages_about_other_domains_only_are_counted(domain: Domain) -> None:
    Domain.objects.update(login_client_id="login", provider_domain="acme.test")
    domain.refresh_from_db()
    theirs = event("ringing").replace(b"example.org", b"rival.test")

    intake.commit([arrival(make_subscription(domain, "calls"), theirs)])

    assert "1 of the last seven days" in str(status_checks.sign_in(domain).details)
