"""Every address × every kind of visitor × two companies, made from the URL configuration itself (S9)."""

from io import StringIO
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Group
from django.core.management import call_command
from django.db import connection, transaction
from django.db.models import Model
from django.test import Client
from django.urls import path

from accounts.access import Viewer
from accounts.models import AuditEntry
from tests.security.asks import Ask, admin_ask, asks, further, was_refused
from tests.security.company import Company
from wallboard import matrix
from wallboard.matrix import AUDIENCES, SHEETS, WHO, Route
from wallboard.sockets import socket_access

# What a page may answer to whom is not about the database: an administrator asks for every address on both.
ON_BOTH = [who if who == "administrator" else pytest.param(who, marks=pytest.mark.one_database) for who in WHO]
ROUTES = {route.name: route for route in matrix.routes()}
OURS = [name for name, route in ROUTES.items() if not route.path.startswith("admin/")]
ADMINS = [name for name, route in ROUTES.items() if route.path.startswith("admin/") and name != "admin:login"]
OPEN = ("everybody", "holder", "token", "operator", "signed in")
INSIDE = {name for name in OURS if matrix.AUDIENCE_OF.get(name, "everybody") not in OPEN}
WRITTEN = [model for model in apps.get_models() if model._meta.app_label not in ("sessions", "contenttypes", "admin")]
LEAD_TO_SIGN_IN = {
    "companies:sign_in",
    *("accounts/link/number/", "accounts:login", "accounts:logout", "accounts:logout_everywhere", "webhooks:hook"),
    *("setup:first", "setup:first_passkey", "setup:arrive", "screens:embed_image", "screens:embed_picture"),
    "notifications:acknowledge",
    "notifications:confirm",
}
TOLD = {
    *("boards:home", "boards:board", "screens:screens", "screens:tv", "calls:calls"),
    *("reports:reports", "setup:setup", "accounts:people", "accounts:account", "desk:desk", "desk:pop", "desk:day"),
}
SILENT = {
    "notifications:push_state",
    "notifications:push_end",
    *("accounts:passkey", "accounts:passkey_options", "accounts:add_passkey", "accounts:add_passkey_options"),
    "setup:first_passkey",
    "setup:address",
    "accounts/link/number/",
    "setup:resume_company",
    "setup:invite_administrator",
    "desk:change_call_back",
    "setup:poll_now",
    "setup:choose_theme",
    "boards:figures",
    "setup:caller_record",
    "configuration:configuration",
    "desk:renew",
    "desk:release",
    "desk:close",
    "notifications:test_server",
}


def rows(company: Company | None = None, without: type[Model] | None = None) -> list[Any]:
    """What all tables hold but one, or all that belongs to one company.

    Asked for with nearly every request, hence past the ORM, which takes most of this file's time otherwise.
    """
    found = []
    with connection.cursor() as cursor:
        for model in WRITTEN:
            options = model._meta
            is_owned = any(field.column == "domain_id" for field in options.concrete_fields)
            if model is without or (company is not None and not is_owned):
                continue
            key, table = (connection.ops.quote_name(name) for name in (str(options.pk.column), options.db_table))
            owned = "" if company is None else f" WHERE domain_id = {company.domain.pk}"
            cursor.execute(f"SELECT * FROM {table}{owned} ORDER BY {key}")
            found.append(cursor.fetchall())
    return found


@pytest.mark.parametrize("asked", ["board=main", "boards=1", "desk=1", "alerts=1"])
def test_the_table_says_who_gets_a_seat(asked: str, ours: Company) -> None:
    listed = {row[0]: dict(zip(WHO, row[2:], strict=True)) for row in matrix.lines()}
    request = socket_access.parse_request(asked.replace("main", ours.board.slug).encode())

    def is_seated(role: str) -> bool:
        try:
            return bool(socket_access.requested_feeds(Viewer(ours.domain.pk, role, extension="101"), request))
        except socket_access.Refused:
            return False

    roles = ("agent", "supervisor", "administrator")
    told = listed[f"/live/?{asked.replace('main', '')}"]
    assert [is_seated(role) for role in roles] == [told[role] == "yes" for role in roles]


def sent(ask: Ask, client: Client, before: list[Any] | None = None) -> tuple[Any, bool]:
    """The answer, and whether the tables changed from what they held before, if that is asked; nothing of it lasts."""
    cookies = dict(client.cookies)
    with transaction.atomic():
        answer = ask.send(client)
        is_changed = before is not None and rows() != before
        transaction.set_rollback(True)
    client.cookies.clear()
    client.cookies.update(cookies)
    return answer, is_changed


def test_every_address_is_listed() -> None:
    assert {route.audience for route in matrix.routes()} == set(AUDIENCES)


def test_a_new_page_is_refused_until_it_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    new = Route("boards:secrets", "secrets/", None)
    monkeypatch.setattr(matrix, "routes", lambda: [new])

    with pytest.raises(matrix.Unlisted, match="boards:secrets"):
        list(matrix.lines())


def test_the_walk_finds_what_the_resolver_would_answer() -> None:
    nested = list(matrix._walk([path("a/", lambda request: request, name="x")], "outer/", "space:"))

    assert [(route.name, route.path) for route in nested] == [("space:x", "outer/a/")]


def test_the_table_lists_nothing_that_is_gone() -> None:
    assert set(matrix.AUDIENCE_OF) <= set(ROUTES)
    assert {model._meta.label_lower for model in admin.site._registry} == matrix.ADMIN_TABLES


def test_every_address_is_asked_for(ours: Company) -> None:
    assert set(asks(ours)) == set(OURS)


@pytest.mark.parametrize("who", ON_BOTH)
def test_an_address_is_for_its_audience_only(who: str, ours: Company) -> None:
    client, wanted, wrong = ours.browser(who), asks(ours, who), []
    before = rows()
    for name, ask in wanted.items():
        is_for_them = who in AUDIENCES[ROUTES[name].audience]
        answer, is_changed = sent(ask, client, None if is_for_them else before)
        if is_for_them:
            is_right = answer.status_code in ask.good and (not was_refused(answer) or name in LEAD_TO_SIGN_IN)
        else:
            is_right = was_refused(answer) and not is_changed
        if not is_right:
            wrong.append(f"{name}: {answer.status_code}, changed {is_changed}")

    assert wrong == []


@pytest.mark.one_database
@pytest.mark.parametrize("who", WHO)
def test_a_second_way_to_ask_is_guarded_too(who: str, ours: Company) -> None:
    client = ours.browser(who)
    for ask in further(ours):
        answer, _ = sent(ask, client)
        audience = ROUTES[ask.name].audience
        if ask.data.get("as") in ("csv", "xlsx"):
            audience = SHEETS.get(ask.name, audience)
        assert was_refused(answer) == (who not in AUDIENCES[audience]), ask.name


@pytest.mark.one_database
@pytest.mark.parametrize("who", ["agent", "supervisor", "administrator", "screen"])
def test_another_companys_things_are_out_of_reach(
    who: str, ours: Company, theirs: Company, asked_of_the_provider: list[int]
) -> None:
    """The same request about the other company's things: told nothing, changed nothing; they themselves may."""
    client, wanted, wanted_of_them = ours.browser(who), asks(ours, who), asks(theirs, who)
    before = rows(theirs)
    for name in sorted(name for name in INSIDE if who in AUDIENCES[ROUTES[name].audience]):
        foreign = wanted_of_them[name]
        answer, _ = sent(wanted[name], client)
        assert theirs.word not in answer.content.decode(errors="replace"), name
        with transaction.atomic():
            answer = foreign.send(client)
            assert theirs.word not in answer.content.decode(errors="replace"), name
            assert rows(theirs) == before, name
            transaction.set_rollback(True)
        # The number of a queue, which both companies have, is the address of our own.
        is_ours = foreign.args == wanted[name].args
        assert answer.status_code == 404 or is_ours, name
    assert theirs.domain.pk not in asked_of_the_provider


@pytest.mark.one_database
def test_second_ways_tell_nothing_of_another_company(ours: Company, theirs: Company) -> None:
    client = ours.browser("administrator")
    for ask in [*further(ours), *further(theirs)]:
        assert theirs.word not in sent(ask, client)[0].content.decode(errors="replace"), ask.name


def test_the_pages_would_show_what_must_not_leak(theirs: Company) -> None:
    for name in sorted(TOLD):
        who = "screen" if name == "screens:tv" else "administrator"
        answer, _ = sent(asks(theirs, who)[name], theirs.browser(who))
        assert theirs.word in answer.content.decode(errors="replace"), name


@pytest.mark.parametrize("name", ["desk:pop", "desk:note"])
def test_a_colleagues_call_is_out_of_reach(name: str, ours: Company) -> None:
    for who in ("agent", "supervisor", "administrator"):
        others = {"agent": "supervisor", "supervisor": "administrator", "administrator": "agent"}
        client, ask = ours.browser(who), asks(ours, others[who])[name]
        answer, is_changed = sent(ask, client, rows())
        assert (answer.status_code, is_changed) == (404, False)


@pytest.mark.one_database
@pytest.mark.parametrize("role", ["agent", "supervisor"])
def test_people_of_a_company_that_is_switched_off_get_nowhere(role: str, ours: Company) -> None:
    ours.domain.is_active = False
    ours.domain.save()

    wanted = asks(ours, role)
    for name in OURS:
        if ROUTES[name].audience in ("agent", "supervisor", "administrator"):
            assert was_refused(wanted[name].send(ours.browser(role))), name


@pytest.mark.one_database
@pytest.mark.parametrize("who", WHO)
def test_the_admin_site_is_for_superusers_only(who: str, ours: Company) -> None:
    Group.objects.create(name="some")
    client, before = ours.browser(who), rows(without=AuditEntry)  # who looked callers up is noted there
    for name in sorted(ADMINS, key="admin:logout".__eq__):
        answer = admin_ask(ROUTES[name]).send(client)
        to = answer.headers.get("Location", "")
        is_out = to.startswith("/admin/login/") or (name == "admin:logout" and to == "/admin/")
        assert is_out == (who != "superuser"), (name, answer.status_code, to)
    assert rows(without=AuditEntry) == before


@pytest.mark.one_database
def test_no_other_site_can_post(ours: Company) -> None:
    strangers = {who: ours.browser(who, enforce_csrf_checks=True) for who in ("administrator", "superuser")}
    owners = {who: ours.browser(who) for who in strangers}
    wanted, before = asks(ours), rows()
    for name, ask in wanted.items():
        if ask.method == "get" or name == "screens:alive":
            continue
        who = "superuser" if ROUTES[name].audience == "superuser" else "administrator"
        stranger, own = strangers[who], owners[who]
        refused, is_harmed = sent(ask, stranger, before)
        assert (name, refused.status_code, is_harmed) == (name, 403, False)
        welcome, is_changed = sent(ask, own, before)
        assert (name, welcome.status_code in ask.good, is_changed) == (name, True, name not in SILENT)


def test_the_command_prints_every_line() -> None:
    out = StringIO()
    call_command("matrix", stdout=out)

    lines = out.getvalue().splitlines()
    assert lines[0].split() == ["address", "for", *WHO]
    assert len(lines) == 1 + len(matrix.routes()) + 2 * len(SHEETS) + 6 + len(matrix.FEEDS)
    assert [line.split()[-7:] for line in lines if line.startswith("/setup/ ")] == [
        ["-", "-", "-", "-", "yes", "-", "-"]
    ]
