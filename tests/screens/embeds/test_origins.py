"""Which texts name a site, and that nothing else gets into the policy of a page."""

import pytest

from wallboard.screens.embeds import origins


def test_sites_are_written_as_browsers_compare_them() -> None:
    text = (
        "https://Intranet.Example.com/\nhttp://127.0.0.1:8080, https://bücher.example:443 https://intranet.example.com"
    )

    assert origins.parsed(text) == [
        "https://intranet.example.com",
        "http://127.0.0.1:8080",
        "https://xn--bcher-kva.example",
    ]


@pytest.mark.parametrize(
    "text",
    [
        *("", "intranet.example.com", "https://*.example.com", "https://a.example/path", "https://u:p@a.example", "*"),
        *("https://a.example;script-src", "javascript:alert(1)", "https://", "https://a.example:99999", "'self'"),
        *("https://a.example?x", "ftp://a.example", "https://[::1]", "https://a..example'none'"),
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(origins.BadOrigin):
        origins.parsed(text)


def test_a_link_is_for_so_many_sites() -> None:
    with pytest.raises(origins.BadOrigin):
        origins.parsed(" ".join(f"https://a{number}.example" for number in range(21)))
