"""Names are written in their own direction: on every page, whoever wrote them in whatever script.

In this company every name carries its word, so a text with it that stands in no `dir="auto"` and no <bdi> is a name
that breaks the line around it as soon as it is Arabic or Hebrew.
"""

from html.parser import HTMLParser

import pytest

from tests.security.company import Company
from tests.security.test_every_page import pages_of

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
# What is read by itself, or by nobody: a whole option has one direction already.
APART = {"title", "option", "script", "style"}
TYPED = {"text", "search", None}
Attributes = list[tuple[str, str | None]]


class Names(HTMLParser):
    """Collects what carries the word and does not stand in its own direction."""

    def __init__(self, word: str) -> None:
        super().__init__()
        self.word = word
        self.open: list[tuple[str, bool]] = []
        self.found: list[str] = []
        self.seen = 0

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        """Opens an element, or looks at a field."""
        given = dict(attrs)
        is_own = tag == "bdi" or given.get("dir") == "auto" or tag in APART
        if tag == "input" and given.get("type") in TYPED and self.word in (given.get("value") or ""):
            self._judge(given.get("value") or "", is_own)
        if tag not in VOID:
            self.open.append((tag, is_own))

    def handle_endtag(self, tag: str) -> None:
        """Closes the element of that name and whatever was left open in it."""
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        """Looks at a text."""
        if self.word in data:
            self._judge(data, any(is_own for _tag, is_own in self.open))

    def _judge(self, text: str, is_own: bool) -> None:
        self.seen += 1
        if not is_own:
            self.found.append(f"{'>'.join(tag for tag, _ in self.open[-3:])}: {' '.join(text.split())}")


def names_in(page: str, word: str) -> Names:
    """The names of a page, judged."""
    names = Names(word)
    names.feed(page)
    return names


def test_the_check_finds_what_is_wrong() -> None:
    page = """<title>alfa</title><p>alfa one</p><p dir="auto">alfa <b>alfa</b></p><br><bdi>alfa</bdi>
        <input value="alfa two"><input value="alfa" dir="auto">
        <input type="hidden" value="alfa"><option>alfa</option>"""

    names = names_in(page, "alfa")

    assert [each.partition(": ")[2] for each in names.found] == ["alfa one", "alfa two"]
    assert names.seen == 8


@pytest.mark.django_db
@pytest.mark.one_database
def test_every_name_on_every_page_stands_in_its_own_direction(ours: Company) -> None:
    pages = {shown.name: names_in(shown.answer.content.decode(), ours.word) for shown in pages_of(ours)}

    assert "\n".join(f"{name} {each}" for name, names in pages.items() for each in names.found) == ""
    seen = {name for name, names in pages.items() if names.seen}
    assert {"boards:home", "screens:screens", "accounts:people", "teams:teams", "contacts:contacts"} <= seen
    assert {"reports:reports", "queues:targets", "queues:queues", "calls:calls"} <= seen
