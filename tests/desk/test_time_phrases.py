"""Times and figures in the reader's locale and the company's zone, on the desk and on boards alike."""

import json
from datetime import datetime
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.boards.test_editor_merge import answer_with_modules

NOW = "2026-11-19T12:00:00+01:00"
MOMENTS = ["2026-11-19T11:12+01:00", "2026-11-18T16:12+01:00", "2026-11-16T16:31+01:00", "2024-12-03T09:31+01:00"]
ASKED = """async ([zone, now, moments]) => {
  const { clock } = await import("/static/js/lib/format.js");
  const { dayClock, withTimes } = await import("/static/js/lib/times.js");
  const { count } = await import("/static/js/views/figure-values.js");
  const texts = { today_at: "Today {time}", yesterday_at: "Yesterday {time}" };
  const plain = (text) => text.replace(/\\u202f/g, " ");
  const told = moments.map((ms) => plain(dayClock(ms, zone, now, texts)));
  told.push(plain(withTimes(`today at {${moments[1]}}, {n} {12}`, zone)));
  return JSON.stringify([told, plain(clock(now, zone, now)), [count(1234), count(12.5), count(3)]]);
}"""
ENGLISH = ["1,234", "12.5", "3"]
READERS: dict[str, Any] = {
    "en-GB": [
        ["Today 11:12", "Yesterday 16:12", "Mon 16:31", "3 Dec 2024", "today at 16:12, {n} {12}"],
        "12:00",
        ENGLISH,
    ],
    "en-US": [
        ["Today 11:12", "Yesterday 16:12", "Mon 16:31", "Dec 3, 2024", "today at 16:12, {n} {12}"],
        "12:00",
        ENGLISH,
    ],
    "de-DE": [
        ["Today 11:12", "Yesterday 16:12", "Mo 16:31", "3. Dez. 2024", "today at 16:12, {n} {12}"],
        "12:00",
        ["1.234", "12,5", "3"],
    ],
}


def ms(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp() * 1000)


@pytest.mark.parametrize("locale", READERS)
def test_moments_and_figures_are_written_as_the_reader_does(locale: str, browser: Browser) -> None:
    context = browser.new_context(locale=locale, timezone_id="Asia/Tokyo")
    page = context.new_page()
    page.route("**/*", answer_with_modules)
    page.goto("http://testserver/")

    told = json.loads(page.evaluate(ASKED, ["Europe/Berlin", ms(NOW), [ms(text) for text in MOMENTS]]))
    context.close()

    assert told == READERS[locale]
