"""Where a sign-in leads: always to a page of ours."""

import pytest

from tests.accounts.conftest import Visitor

# The shapes of Django's own corpus for url_has_allowed_host_and_scheme, and a few of ours.
FOREIGN = [
    "http://evil.example",
    "http:///evil.example",
    "https://evil.example",
    "https:evil.example",
    "https:/evil.example",
    "//evil.example",
    "///evil.example",
    "////evil.example",
    "/\\evil.example",
    "\\/evil.example",
    "\\\\evil.example",
    "\\\\\\evil.example",
    "http:\\\\evil.example",
    "http:/\\//evil.example",
    "http:\\/evil.example",
    "ftp://evil.example",
    "javascript:alert('x')",
    "java\nscript:alert(x)",
    "\x08//evil.example",
    "http://otherserver\\@evil.example",
    "http://testserver@evil.example",
    "http://testserver\\me:pass@evil.example",
    "http:\\\\testserver\\confirm\\me@evil.example",
    "http://[2001:cdba:0000:0000:0000:0000:3257:9652/",
    "http://testserver/desk/",
    "http:999999999",
    "///",
    "data:text/html,x",
    "evil.example",
    "",
    " //evil.example",
    "\t//evil.example",
    "/" + "a" * 5000,
]


@pytest.mark.parametrize("path", FOREIGN)
def test_next_never_leaves_the_site(visitor: Visitor, path: str) -> None:
    assert visitor.sign_in(next=path)["Location"] == "/"


@pytest.mark.parametrize("path", ["/desk/", "/boards/a/?x=//b", "/%2f%2fevil.example", "/screens/#top"])
def test_next_goes_to_our_own_pages(visitor: Visitor, path: str) -> None:
    assert visitor.sign_in(next=path)["Location"] == path
