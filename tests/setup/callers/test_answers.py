"""What a company's program may answer: text and https links within bounds, and nothing that leads elsewhere."""

import json

import pytest

from wallboard.setup.callers import answers
from wallboard.setup.callers.answers import BadAnswer, Record


def test_text_is_one_line_and_stays_text() -> None:
    body = {
        "title": "<b>Hanna</b>\n\u202eBrandt",
        "lines": [{"label": "Plan", "text": "Gold\x07"}, {"label": "x", "text": ""}],
    }

    record = answers.parsed(json.dumps(body).encode())

    assert record.title == "<b>Hanna</b> Brandt"
    assert [(line.label, line.text) for line in record.lines] == [("Plan", "Gold")]


@pytest.mark.parametrize(
    "url",
    [
        *(
            "javascript:alert(1)",
            "http://crm.example.com/",
            "https://crm.example.com\\@evil.example/",
            "//evil.example",
        ),
        *("https://user:word@crm.example.com/", "https://crm.example.com/ x", " https://crm.example.com/", "https://"),
        *("data:text/html,x", "https://crm.example.com/\n", "https://crm.exämple.com/", "HTTPS:evil"),
    ],
)
def test_links_lead_to_https_addresses_only(url: str) -> None:
    with pytest.raises(BadAnswer):
        answers.parsed(json.dumps({"links": [{"label": "Open", "url": url}]}).encode())


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"<html>", b"[]", b"null", b'{"title": 3}', b'{"lines": [{"label": "x"}]}', b"\xff", b"[" * 5000),
        json.dumps({"title": "x" * 121}).encode(),
        json.dumps({"lines": [{"label": "a", "text": "b"}] * 13}).encode(),
        json.dumps({"lines": [{"label": "a", "text": "b" * 501}]}).encode(),
        json.dumps({"title": "", "more": "x" * answers.MOST_BYTES}).encode(),
    ],
)
def test_anything_else_is_refused_in_words(body: bytes) -> None:
    with pytest.raises(BadAnswer, match="answer"):
        answers.parsed(body)


def test_an_empty_answer_is_an_empty_record() -> None:
    assert answers.parsed(b"{}") == Record()
    assert answers.parsed(b"{}").is_empty
