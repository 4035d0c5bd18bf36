"""Every answer of every address carries the headers that keep browsers from being tricked (S12)."""

from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory

from tests.security.asks import admin_ask, asks, further
from tests.security.company import Company
from wallboard import matrix, middleware
from wallboard.asgi import application
from wallboard.matrix import WHO

pytestmark = pytest.mark.one_database
ALWAYS: dict[str, tuple[str | None, ...]] = {
    "X-Content-Type-Options": ("nosniff",),
    "X-Frame-Options": ("DENY",),
    "Referrer-Policy": ("same-origin", "no-referrer"),
    "Cross-Origin-Opener-Policy": ("same-origin",),
    "Cross-Origin-Resource-Policy": ("same-origin",),
    "Permissions-Policy": ("camera=(), geolocation=(), microphone=(), payment=()",),
    "X-Robots-Tag": ("noindex, nofollow",),
}


SPECIAL: dict[str, dict[str, tuple[str | None, ...]]] = {
    # By the sites of its link.
    "screens:embed": {"X-Frame-Options": (None,), "Cross-Origin-Resource-Policy": ("cross-origin",)},
    # The key is in this page's address, and its form needs an origin.
    "setup:first": {"Referrer-Policy": ("strict-origin",)},
}


def complaints(name: str, answer: Any) -> list[str]:
    """What the answer lacks."""
    always = ALWAYS | SPECIAL.get(name, {})
    wrong = [f"{name}: {header}" for header, good in always.items() if answer.headers.get(header) not in good]
    policy = dict(part.strip().partition(" ")[::2] for part in answer.headers["Content-Security-Policy"].split(";"))
    is_admin = name.startswith("admin")
    styles = "'self' 'unsafe-inline'" if is_admin else "'self'"
    wanted = {"default-src": "'none'", "script-src": "'self'", "style-src": styles, "base-uri": "'none'"}
    sites = "https://intranet.example.com" if name == "screens:embed" else "'none'"
    wanted |= {"frame-ancestors": sites, "form-action": "'self'"}
    if "sandbox" in policy:  # pictures: nothing at all
        wanted = dict.fromkeys(("default-src", "form-action", "base-uri", "frame-ancestors"), "'none'")
    return wrong + [f"{name}: {part} {policy.get(part)}" for part, good in wanted.items() if policy.get(part) != good]


@pytest.mark.parametrize("who", WHO)
def test_every_page_has_every_header(who: str, ours: Company) -> None:
    wrong = []
    for ask in [*asks(ours, who).values(), *further(ours)]:
        wrong += complaints(ask.name, ask.send(ours.browser(who)))

    assert wrong == []


@pytest.mark.parametrize("who", ["nobody", "superuser"])
def test_the_admin_sites_pages_have_them_too(who: str, ours: Company) -> None:
    client, wrong = ours.browser(who), []
    for route in matrix.routes():
        if route.path.startswith("admin/") and "auth/group/<" not in route.path and route.name != "admin:logout":
            wrong += complaints(route.name, admin_ask(route).send(client))

    assert wrong == []


def test_pages_that_are_not_there_and_pages_that_fail_have_them_too(
    ours: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("canary of the failing view")

    monkeypatch.setattr("wallboard.calls.views.calls.search.look", broken)
    client = ours.browser("supervisor", raise_request_exception=False)
    failed, missing = client.get("/calls/"), client.get("/nowhere/")

    assert (failed.status_code, missing.status_code) == (500, 404)
    assert complaints("failed", failed) + complaints("missing", missing) == []
    assert "canary" not in failed.content.decode()


def test_a_policy_of_a_views_own_would_be_kept_and_nothing_else_lost() -> None:
    def view(request: HttpRequest) -> HttpResponse:
        return HttpResponse(headers={"Content-Security-Policy": "default-src 'none'"})

    answer = middleware.PageSecurity(view)(RequestFactory().get("/"))

    assert answer.headers["Content-Security-Policy"] == "default-src 'none'"
    assert answer.headers["Permissions-Policy"].startswith("camera=()")


def test_pages_with_personal_data_are_not_kept_by_caches(ours: Company) -> None:
    open_to_all = {name for name, audience in matrix.AUDIENCE_OF.items() if audience in ("everybody", "holder")}
    kept = []
    for name, ask in asks(ours).items():
        answer = ask.send(ours.browser("screen" if name == "screens:tv" else "administrator"))
        is_page = answer.status_code == 200 and ask.method == "get" and name not in open_to_all
        if is_page and "no-store" not in answer.headers.get("Cache-Control", ""):
            kept.append(name)

    assert kept == []


@pytest.mark.django_db(transaction=True)
async def test_deliveries_are_answered_without_a_body_to_be_read_as_anything() -> None:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request", "body": b""}

    scope: Any = {"type": "http", "path": "/hooks/", "method": "GET", "headers": [], "query_string": b""}
    await application(scope, receive, send)

    headers = dict(sent[0]["headers"])
    assert headers[b"x-content-type-options"] == b"nosniff"
    assert (b"content-type" in headers, sent[1]["body"]) == (False, b"")


def test_cookies_are_out_of_reach_of_scripts_and_of_other_sites(ours: Company, settings: Any) -> None:
    client = Client()
    client.get(f"/screen/{ours.token}/")
    client.get("/pair/")
    client.get("/accounts/start/", {"domain": ours.domain.slug})
    client.get("/accounts/login/start/", {"domain": ours.domain.slug})

    cookies = dict(client.cookies)
    assert {"screen", "screen_live", "pairing", "sessionid"} <= set(cookies)
    assert {(cookie["httponly"], cookie["samesite"]) for cookie in cookies.values()} == {(True, "Lax")}


@pytest.mark.parametrize(
    "path",
    [
        *("/screen/not-a-token/", "/screen/", "/screen/not/an/address/", "/accounts/callback/?code=c&state=s"),
        *("/embed/not-a-token/", "/embed/not-a-token/card.png"),
    ],
)
def test_addresses_that_hold_secrets_are_named_to_nobody(ours: Company, path: str) -> None:
    answer = Client().get(path)

    assert answer.status_code in (400, 403, 404)
    assert answer.headers["Referrer-Policy"] == "no-referrer"


def test_answers_that_name_no_icon_have_that_of_the_site(ours: Company) -> None:
    icon = ours.browser("nobody").get("/favicon.ico").headers["Location"]

    assert Path(str(finders.find(icon.removeprefix(settings.STATIC_URL)))).read_bytes().startswith(b"\x89PNG")
