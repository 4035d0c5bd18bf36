"""The guides on the site: all of them can be read, their links lead somewhere, and each page leads to its chapter."""

import re

import pytest

from tests.boards.conftest import SignIn
from tests.security.company import made
from tests.security.conftest import asked_of_the_provider  # noqa: F401
from tests.security.test_every_page import pages_of
from wallboard.matrix import AUDIENCE_OF
from wallboard.setup import guides

pytestmark = pytest.mark.one_database
HELP = re.compile(r'<li class="nav-help"><a href="([^"]+)"')


@pytest.mark.parametrize("name", [guides.INDEX, *guides.names()])
def test_each_guide_can_be_read_and_leads_nowhere_astray(sign_in: SignIn, name: str) -> None:
    client = sign_in("agent")
    page = client.get(guides.address(name)).content.decode()
    text = page[page.index('<article class="panel guide-text"') :]

    linked = set(re.findall(r'(?:href|src)="(/[^"#]*)', text))
    assert {path for path in linked if client.get(path).status_code != 200} == set()
    for path, anchor in re.findall(r'href="(/help/[^"#]*)#([^"]+)"', text):
        assert f'id="{anchor}"' in client.get(path).content.decode(), f"{path}#{anchor}"
    assert not re.search(r'href="[^"]*\.md', text)


@pytest.mark.usefixtures("db", "asked_of_the_provider")
def test_every_page_leads_to_a_chapter_that_exists() -> None:
    company = made("alfa")
    pages = {shown.name: shown.answer.content.decode() for shown in pages_of(company)}
    found = {name: led[1] for name, page in pages.items() if (led := HELP.search(page))}
    client = company.browser("administrator")
    without = {
        name
        for name, address in found.items()
        if f'id="{address.partition("#")[2]}"' not in client.get(address.partition("#")[0]).content.decode()
    }

    assert {name for name, page in pages.items() if '<ul class="nav-daily">' in page} == set(found)
    assert without <= {"setup:guides", "setup:guide"}
    assert {name for chapters in guides.CHAPTERS.values() for name in chapters} <= set(AUDIENCE_OF)


def test_agents_read_their_own_guide_of_a_page_that_they_share(sign_in: SignIn) -> None:
    led = {role: HELP.search(sign_in(role).get("/people/").content.decode()) for role in ("agent", "supervisor")}

    assert [found and found[1] for found in led.values()] == ["/help/agent/#who-is-free", "/help/supervisor/#people"]


@pytest.mark.parametrize("path", ["no-such-guide/", "pictures/../operating.md", "pictures/%2e%2e/operating.md"])
def test_what_is_no_guide_is_not_found(sign_in: SignIn, path: str) -> None:
    assert sign_in("agent").get(f"/help/{path}").status_code == 404
