"""The tables of a report over many days, and the sheet of them for many queues."""

import re
from datetime import timedelta

import pytest

from tests.boards.conftest import SignIn
from tests.reports.test_day_figures import NOON, queues, sample
from tests.reports.test_reports_page import REPORT
from wallboard.queues.models import Queue
from wallboard.reports import views

__all__ = ["queues"]


def test_the_table_of_many_days_is_by_week(queues: list[Queue], sign_in: SignIn) -> None:
    for day in (0, 1, 4, 6):  # Wednesday to Sunday, and the Tuesday after
        sample(queues[0], NOON + timedelta(days=day), late=60.0)
    client = sign_in("supervisor")

    month, longer = (
        client.get(f"/reports/?first=2026-03-03&last=2026-04-{last}").content.decode() for last in ("02", "03")
    )

    assert "Minutes over target by queue and day, as a table" in month
    assert "Minutes over target by queue and week, as a table" in longer
    heads, cells = (
        re.findall(r'<th scope="col" class="number">(\d+ \w+)</th>', longer),
        re.findall(r"<td class=\"number heat-\d\">(.*?)</td>", longer),
    )
    assert (heads, cells) == (["3 Mar", "9 Mar"], ["3 min", "1 min"])


def test_a_sheet_of_parts_reads_some_queues_after_the_other(
    queues: list[Queue], sign_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    for index, queue in enumerate(queues):
        sample(queue, NOON, late=30.0 + 30 * index)
        sample(queue, NOON + timedelta(hours=1), late=60.0)
    client = sign_in("supervisor")
    whole = client.get(f"{REPORT}&of=parts&as=csv").content

    monkeypatch.setattr(views, "QUEUES_AT_ONCE", 1)

    assert client.get(f"{REPORT}&of=parts&as=csv").content == whole
    assert len(whole.splitlines()) == 5
