"""An administrator of one company tries everything that there is on another: every address of the site with its ids,
at its host and at ours, its sockets, its sign-in, its TVs and the operator's pages."""

from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from accounts.companies import editing
from tests.security.asks import Ask, admin_ask, asks, further
from tests.security.company import Company
from tests.security.test_matrix import ADMINS, LEAD_TO_SIGN_IN, OURS, ROUTES, rows
from wallboard.screens import pairing, screens
from wallboard.screens.embeds import links
from wallboard.screens.embeds.links import EmbedInput
from wallboard.screens.models import Pairing

pytestmark = pytest.mark.one_database  # whose things they are is asked alike on both
HOST = "zulu.testserver"
# Each names the company to whoever has its address or its short name: the way in.
EMBEDDED = {"screens:embed", "screens:embed_picture", "screens:embed_image"}  # for whoever has the secret link
WAYS_IN = {"companies:sign_in", "accounts:login", "accounts:start"} | EMBEDDED
FOR_THE_MACHINE = {name for name in OURS if ROUTES[name].audience == "operator"}
BEGUN_BY_ANYBODY = {"screens:pair"}  # a TV at the host of a company waits for that company


@pytest.fixture
def at_a_host(theirs: Company) -> Company:
    """The other company, at a host of its own."""
    theirs.domain.host = HOST
    theirs.domain.save()
    return theirs


def sent(ask: Ask, client: Client, theirs: Company) -> Any:
    """The answer; the other company is as it was, and nothing of the try lasts."""
    before, cookies = rows(theirs), dict(client.cookies)
    with transaction.atomic():
        answer = ask.send(client)
        is_changed = rows(theirs) != before
        transaction.set_rollback(True)
    client.cookies.clear()
    client.cookies.update(cookies)
    assert not is_changed or ask.name in BEGUN_BY_ANYBODY, ask.name
    return answer


def told(answer: Any) -> str:
    """All that the answer says, its headers as well, but for the host that was asked for."""
    return f"{answer.headers}{answer.content.decode(errors='replace')}".lower().replace(HOST, "")


@pytest.mark.parametrize("host", ["testserver", HOST])
def test_every_address_with_the_ids_of_another_company_tells_and_changes_nothing(
    ours: Company, at_a_host: Company, host: str
) -> None:
    theirs, client = at_a_host, ours.browser("administrator", headers={"host": host})
    tries = {name: ask for name, ask in asks(theirs).items() if name not in WAYS_IN | FOR_THE_MACHINE}
    found = []
    for name in OURS:
        if name in tries and theirs.word in told(sent(tries[name], client, theirs)):
            found.append(name)
    for ask in further(theirs):
        if theirs.word in told(sent(ask, client, theirs)):
            found.append(ask.name)

    assert found == []
    assert len(tries) > 120


def test_at_the_host_of_another_company_no_page_opens(ours: Company, at_a_host: Company) -> None:
    client, wanted = ours.browser("administrator", headers={"host": HOST}), asks(ours)
    there = [name for name in OURS if ROUTES[name].audience in ("agent", "supervisor", "administrator")]

    answers = {name: sent(wanted[name], client, at_a_host).status_code for name in there}

    assert {name: status for name, status in answers.items() if status not in (403, 404)} == {}
    assert sent(wanted["boards:board"], ours.browser("administrator"), at_a_host).status_code == 200


def test_links_that_need_no_sign_in_show_nothing_at_the_host_of_another_company(
    ours: Company, at_a_host: Company
) -> None:
    """Else whoever has a company here puts boards of their own making under the name of another one."""
    wanted = asks(ours)
    card = links.make(ours.domain, EmbedInput("Lure", ours.board, "", ("https://a.example",)))[1]
    addresses = {f"/embed/{card}/", f"/embed/{ours.embed}/", f"/screen/{ours.token}/"}

    for headers, seen in (({"host": HOST}, False), ({}, True)):
        tv = Client(headers=headers)
        assert {sent(Ask(path[1:]), tv, at_a_host).status_code < 400 for path in addresses} == {seen}
        tv.cookies["screen"] = ours.token
        for name in ("screens:tv", "screens:alive", "screens:image"):
            answer = wanted[name].send(tv)
            assert (answer.status_code < 300) == seen, name
            assert seen or ours.word not in told(answer)


def test_a_paused_tv_is_kept_at_its_own_company_alone(ours: Company, at_a_host: Company) -> None:
    """A TV of the other company that is led there keeps the cookie that it has."""
    editing.pause(ours.domain)
    answers = [Client(headers=headers).get(f"/screen/{ours.token}/") for headers in ({"host": HOST}, {})]

    assert [answer.status_code for answer in answers] == [403, 302]


def test_the_operators_pages_and_the_admin_site_are_closed(ours: Company, theirs: Company) -> None:
    client = ours.browser("administrator")
    pages = [ask for ask in [*asks(theirs).values(), *further(theirs)] if ROUTES[ask.name].path.startswith("operator/")]

    refused = [sent(ask, client, theirs) for ask in pages]
    from_admin = [sent(admin_ask(ROUTES[name]), client, theirs) for name in ADMINS if name not in LEAD_TO_SIGN_IN]

    assert len(pages) >= 8
    assert {answer.status_code for answer in refused} == {403}
    assert not any(theirs.word in told(answer) for answer in [*refused, *from_admin])


def test_a_code_shown_at_the_host_of_a_company_is_good_for_that_company_alone(
    ours: Company, at_a_host: Company
) -> None:
    tv = Client(headers={"host": HOST})
    tv.get("/pair/")
    code = Pairing.objects.latest("pk").code

    with pytest.raises(pairing.WrongCode):
        pairing.accept(code, ours.board, "Stolen", ours.people["administrator"])
    paired = pairing.accept(code, at_a_host.board, "Hall", at_a_host.people["administrator"])

    assert paired.domain == at_a_host.domain
    tv.get("/pair/state/")
    assert screens.screen_by_token(tv.cookies["screen"].value) == paired


def test_nobody_is_shown_which_companies_there_are(ours: Company, theirs: Company) -> None:
    page = told(Client().get("/accounts/login/"))

    assert ours.word not in page
    assert theirs.word not in page
    assert theirs.word in told(Client().get(f"/c/{theirs.domain.slug}/"))
