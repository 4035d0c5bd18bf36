"""How fast people respond to alerts: medians per queue and week, as far as the viewer may see."""

from datetime import date, datetime, timedelta

import pytest

from accounts import limits
from accounts.limits import Limit
from accounts.models import Domain, Person
from tests.boards.conftest import SignIn
from tests.reports.test_day_figures import NOON, ZONE
from wallboard.alerts.models import Alert
from wallboard.queues.models import Queue
from wallboard.reports import alert_response
from wallboard.reports.period_parts import Period

SUPPORT, SALES = "501", "502"
WEEKS = Period((NOON - timedelta(days=9)).date(), NOON.date(), ZONE)


@pytest.fixture(autouse=True)
def queues(domain: Domain) -> dict[str, Queue]:
    return {
        number: Queue.objects.create(domain=domain, number=number, name=f"Q{number}") for number in (SUPPORT, SALES)
    }


def raised(
    queue: Queue | None, at: datetime, taken: float | None = None, over: float | None = None, kind: str = "level"
) -> None:
    assert queue is None or kind == "level"
    Alert.objects.create(
        domain=Domain.objects.get(), queue=queue, kind=kind, subject=f"{at}", level="late", worst="late",
        began_at=at - timedelta(minutes=1), raised_at=at,
        acknowledged_at=None if taken is None else at + timedelta(seconds=taken),
        ended_at=None if over is None else at + timedelta(seconds=over),
    )  # fmt: skip


def test_medians_are_of_what_was_acknowledged_and_of_what_is_over(domain: Domain, queues: dict[str, Queue]) -> None:
    for minute, taken, over in ((1, 10, 100), (2, 30, 300), (3, 500, None), (4, None, 200)):
        raised(queues[SUPPORT], NOON + timedelta(minutes=minute), taken, over)
    raised(None, NOON, kind="figures")
    raised(queues[SALES], NOON - timedelta(days=40), 1, 1)

    found = alert_response.responses(alert_response.by_queue(domain, WEEKS, Limit(), frozenset())[0])

    assert [(str(each.queue), each.raised, each.acknowledged, each.to_acknowledge, each.to_end) for each in found] == [
        ("Q501", 4, 3, 30, 200),
        ("None", 1, 0, None, None),
    ]


def test_of_few_queues_those_with_the_most_alerts_are_told(domain: Domain, queues: dict[str, Queue]) -> None:
    for minute in range(3):
        raised(queues[SALES], NOON + timedelta(minutes=minute), 10)
    raised(queues[SUPPORT], NOON + timedelta(hours=1), 30)
    raised(None, NOON, kind="figures")

    found, left_out = alert_response.by_queue(domain, WEEKS, Limit(), frozenset(), 1)

    assert [(queue and queue.number, len(alerts)) for queue, alerts in found] == [(SALES, 3)]
    assert left_out == 2


def test_of_too_many_alerts_the_newest_are_told(
    domain: Domain, queues: dict[str, Queue], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(alert_response, "MOST_ALERTS", 3)
    for minute, number in enumerate((SALES, SALES, SUPPORT, SALES, SUPPORT)):
        raised(queues[number], NOON + timedelta(minutes=minute), 60 * minute)

    found, left_out = alert_response.by_queue(domain, WEEKS, Limit(), frozenset())

    assert [
        (each.queue and each.queue.number, each.raised, each.to_acknowledge)
        for each in (alert_response.responses(found))
    ] == [(SUPPORT, 2, 180), (SALES, 1, 180)]
    assert left_out == 0


def test_each_week_stands_by_itself(domain: Domain, queues: dict[str, Queue]) -> None:
    raised(queues[SUPPORT], NOON, 10, 20)
    raised(queues[SUPPORT], NOON - timedelta(days=7), 30, 40)

    found = alert_response.by_week(alert_response.by_queue(domain, WEEKS, Limit(), frozenset())[0], WEEKS)

    this = (NOON - timedelta(days=NOON.weekday())).date()
    assert [(each.week, each.to_acknowledge) for each in found] == [(this - timedelta(days=7), 30), (this, 10)]


def test_a_week_begins_with_the_companys_day(domain: Domain, queues: dict[str, Queue]) -> None:
    monday = datetime(2026, 3, 9, 1, tzinfo=ZONE)  # at night, when Sunday is not over for the company
    raised(queues[SUPPORT], monday, 10, 20)
    week = Period(date(2026, 3, 2), date(2026, 3, 8), ZONE, starts_hour=6)

    found = alert_response.by_week(alert_response.by_queue(domain, week, Limit(), frozenset())[0], week)

    assert [each.week for each in found] == [date(2026, 3, 2)]


def test_the_page_and_the_sheet_show_a_limited_supervisor_their_queues(
    domain: Domain, queues: dict[str, Queue], sign_in: SignIn
) -> None:
    raised(queues[SUPPORT], NOON, 10, 20)
    raised(queues[SALES], NOON, 75, 140)
    raised(None, NOON, kind="figures")
    client = sign_in("supervisor")
    day = f"first={NOON.date()}&last={NOON.date()}"
    limits.set_limit(Person.objects.get(domain=domain), [SALES], None)

    page = client.get(f"/reports/?{day}").content.decode()
    sheet = client.get(f"/reports/?{day}&as=csv&of=alerts").content.decode("utf-8-sig").splitlines()

    assert "<b>1:15</b>" in page
    assert "0:10" not in page
    assert "other alerts" not in page
    assert [line.split(",")[0] for line in sheet[1:]] == [SALES]
