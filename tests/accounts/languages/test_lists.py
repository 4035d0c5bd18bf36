"""Names in one line, and a day with its time, have the comma of the language."""

from datetime import UTC, datetime

import pytest
from django.template import Context, Template
from django.utils import translation

from accounts.languages.lists import listed


@pytest.mark.parametrize(
    ("language", "line", "moment"),
    [("de", "a, b", "6. April, 08:05"), ("ar", "a، b", "6 إبريل، 08:05"), ("en", "a, b", "6 Apr, 08:05")],
)
def test_lines_have_the_comma_of_the_language(language: str, line: str, moment: str) -> None:
    page = Template('{% load formats %}{{ at|day:"j M" }}{% comma %}{{ at|clock:"24" }}')
    with translation.override(language):
        assert listed(["a", "", "b"]) == line
        assert page.render(Context({"at": datetime(2026, 4, 6, 8, 5, tzinfo=UTC)})) == moment
