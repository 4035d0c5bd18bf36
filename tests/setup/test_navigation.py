"""The navigation: five places and Manage, each for those whom its page lets in, and where one is."""

import re

import pytest
from django.test import Client
from django.urls import resolve

from accounts.models import Person, Team
from tests.boards.conftest import SignIn
from wallboard.boards.models import Board
from wallboard.setup import navigation

ROLES = ("agent", "supervisor", "administrator")
EVERY = [*navigation.DAILY, *(place for _name, places in navigation.MANAGED for place in places)]
LINK = re.compile(r'<a href="([^"]+)"(?: aria-current="(\w+)")?>')


def limited(client: Client) -> Client:
    """The same supervisor, who sees some people only from now on."""
    person = Person.objects.get(role="supervisor")
    person.only_team = Team.objects.create(domain=person.domain, name="Night")
    person.save()
    return client


def main(client: Client, path: str) -> str:
    """The navigation of that page as it is written."""
    page = client.get(path).content.decode()
    return page[page.index('<header class="nav">') : page.index("</header>")]


def links(client: Client, path: str) -> dict[str, str]:
    """Address and aria-current of every link of the bar."""
    return dict(LINK.findall(main(client, path)))


def visitor(sign_in: SignIn, who: str) -> Client:
    return limited(sign_in("supervisor")) if who == "limited" else sign_in(who)


@pytest.mark.parametrize("who", [*ROLES, "limited"])
def test_everything_that_is_listed_opens_and_nothing_else_does(board: Board, sign_in: SignIn, who: str) -> None:
    client = visitor(sign_in, who)
    listed = {place.path for place in navigation.DAILY} & {*links(client, "/people/"), "/"}
    page = client.get("/manage/").content.decode()
    listed |= {place.path for place in EVERY if f'<li><a href="{place.path}"><b>' in page}

    # The start page opens for everybody: it leads agents to their desk.
    opens = {place.path for place in EVERY if client.get(place.path).status_code == 200} | {"/"}

    assert listed == opens


def test_the_bar_has_five_places_and_manage_for_supervisors(board: Board, sign_in: SignIn) -> None:
    assert list(links(sign_in("supervisor"), "/people/")) == [
        *("/", "/desk/", "/people/", "/calls/", "/reports/", "/manage/", "/accounts/", "/help/supervisor/#people")
    ]


def test_the_one_page_of_manage_that_an_agent_may_open_stands_in_the_bar(board: Board, sign_in: SignIn) -> None:
    agent = sign_in("agent")

    daily = ["/boards/", "/desk/", "/people/", "/reports/mine/", "/desk/contacts/"]
    assert list(links(agent, "/desk/")) == [*daily, "/accounts/", "/help/agent/#the-desk"]
    assert links(agent, "/desk/contacts/")["/desk/contacts/"] == "page"
    assert 'class="manage"' not in agent.get("/desk/contacts/").content.decode()


@pytest.mark.parametrize(
    ("path", "current"),
    [
        ("/", {"/": "page"}),
        ("/boards/main/", {"/": "true"}),
        ("/boards/new/", {"/": "true"}),
        ("/desk/", {"/desk/": "page"}),
        ("/people/", {"/people/": "page"}),
        ("/reports/mine/", {"/reports/": "page"}),
        ("/desk/contacts/", {"/manage/": "true"}),
        ("/desk/contacts/add/", {"/manage/": "true"}),
        ("/targets/hours/", {"/manage/": "true"}),
        ("/manage/", {"/manage/": "page"}),
        ("/accounts/", {"/accounts/": "page"}),
        ("/accounts/people/", {"/manage/": "true"}),
    ],
)
def test_the_place_where_one_is_is_marked(
    board: Board,
    sign_in: SignIn,
    path: str,
    current: dict[str, str],
) -> None:
    found = links(sign_in("administrator"), path)

    assert {link: value for link, value in found.items() if value} == current


@pytest.mark.parametrize(
    ("path", "here"),
    [
        ("/targets/", "/targets/"),
        ("/targets/hours/?queue=1", "/targets/hours/"),
        ("/setup/privacy/", "/setup/privacy/"),
        ("/setup/", "/setup/"),
        ("/screens/rotations/new/", "/screens/"),
        ("/desk/contacts/import/", "/desk/contacts/"),
    ],
)
def test_the_list_of_manage_marks_the_page(board: Board, sign_in: SignIn, path: str, here: str) -> None:
    page = sign_in("administrator").get(path, follow=True).content.decode()
    side = page[page.index('<nav class="manage"') :].split("</nav>")[0]

    assert [link for link, value in LINK.findall(side) if value] == [here]


def test_the_limit_of_a_person_belongs_to_the_roles(board: Board, sign_in: SignIn) -> None:
    client = sign_in("administrator")
    person = Person.objects.get()

    assert (
        '<a href="/accounts/people/" aria-current="true">' in client.get(f"/people/{person.pk}/limit/").content.decode()
    )


def test_no_two_pages_have_one_name(board: Board, sign_in: SignIn) -> None:
    client = sign_in("administrator")
    headings = {}
    for place in EVERY:
        if not place.for_staff:
            title = re.search(r"<title>(.*?)</title>", client.get(place.path).content.decode(), re.DOTALL)
            assert title is not None
            headings[place.path] = title[1]

    assert len(set(headings.values())) == len(headings)
    assert {path for path, name in headings.items() if name == "People"} == {"/people/"}
    assert [str(place.name) for place in EVERY if not place.for_staff and headings[place.path] != str(place.name)] == []


def test_the_admin_site_is_listed_for_those_whom_it_lets_in(board: Board, sign_in: SignIn) -> None:
    client = sign_in("administrator")
    user = Person.objects.get().user
    assert user is not None
    assert "/admin/" not in client.get("/manage/").content.decode()

    user.is_staff = user.is_superuser = True
    user.save()
    page = client.get("/manage/").content.decode()

    assert client.get("/admin/").status_code == client.get("/admin/accounts/auditentry/").status_code == 200
    assert {'href="/admin/"', 'href="/admin/accounts/auditentry/"'} <= set(re.findall(r'href="/admin/[^"]*"', page))


@pytest.mark.parametrize("place", EVERY, ids=lambda place: place.key)
def test_every_place_is_a_page_of_ours(place: navigation.Place) -> None:
    assert resolve(place.path)
