"""Day figures come from kept samples and legs, by the company's own days."""

from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
import pytest
import time_machine
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Domain
from tests.boards.conftest import SignIn
from wallboard.boards import editing
from wallboard.boards.cards import figures
from wallboard.boards.layout import Layout, parse
from wallboard.boards.models import Board
from wallboard.calibration import findings
from wallboard.calls.models import Leg
from wallboard.queues.models import Queue, Sample
from wallboard.reports import day_figures, sheets
from wallboard.reports.external_calls import ExternalCalls, external_calls, external_calls_by_span
from wallboard.reports.period_parts import Period

ZONE = ZoneInfo("Europe/Berlin")
NOON = datetime(2026, 3, 4, 12, 0, tzinfo=ZONE)
DAY = Period(date(2026, 3, 4), date(2026, 3, 4), ZONE)


@pytest.fixture(autouse=True)
def empty_cache() -> None:
    cache.clear()


@pytest.fixture
def queues(domain: Domain) -> list[Queue]:
    return [Queue.objects.create(domain=domain, number=str(501 + index), order=index) for index in range(2)]


def sample(queue: Queue, minute: datetime, late: float = 0, waiting: int = 1, nobody: float = 0) -> None:
    Sample.objects.create(
        queue=queue,
        minute=minute,
        readings=12,
        waiting=waiting,
        most_waiting=waiting,
        longest_wait_seconds=waiting * 10,
        average_wait_seconds=None,
        agents=3,
        least_available=0,
        watch_seconds=0.0,
        late_seconds=late,
        nobody_seconds=nobody,
    )


def today(board: Board) -> dict[str, Any]:
    """The `today` of an automatic board, a minute after noon."""
    totals = figures.totals_today(board.domain, parse(board.layout).queues, NOON + timedelta(minutes=1))
    fields: dict[str, Any] = msgspec.to_builtins(totals)
    return fields


def leg(domain: Domain, call: str, at: datetime, **more: object) -> None:
    values = {"from_number": "+4930901820", "to_user": "101", "ended_at": at, **more}
    count = Leg.objects.count()
    values = {"heard_at": values["ended_at"] or at, **values}
    Leg.objects.create(domain=domain, from_call_id=call, to_call_id=f"to-{count}", first_seen_at=at, **values)


def test_a_queues_day_adds_up(domain: Domain, queues: list[Queue]) -> None:
    for minute in range(3):
        sample(queues[0], NOON + timedelta(minutes=minute), late=40, waiting=minute, nobody=30)
    sample(queues[0], NOON - timedelta(days=1), late=60)

    [row] = day_figures.by_queue(domain, DAY)

    assert (row.late_minutes, row.nobody_minutes, row.most_waiting, row.longest_wait_seconds) == (2, 2, 2, 20)
    assert row.measured_minutes == 3


def test_a_day_ends_at_the_companys_midnight(domain: Domain, queues: list[Queue]) -> None:
    last = datetime(2026, 3, 4, 22, 59, tzinfo=UTC)
    sample(queues[0], last, late=60)
    sample(queues[0], last + timedelta(minutes=1), late=60)

    assert [row.late_minutes for row in day_figures.by_queue(domain, DAY)] == [1]


def test_hours_are_the_companys_hours(domain: Domain, queues: list[Queue]) -> None:
    sample(queues[0], NOON, late=60)
    sample(queues[1], NOON + timedelta(hours=1), late=30)

    moments, lines = day_figures.grid(day_figures.by_part(domain, DAY))

    assert [moment.astimezone(ZONE).hour for moment in moments] == [12, 13]
    assert [[cell and cell.late_minutes for cell in cells] for _, cells in lines] == [[1, None], [None, 0]]


def test_hidden_queues_and_other_companies_do_not_count(domain: Domain, queues: list[Queue]) -> None:
    Queue.objects.filter(pk=queues[1].pk).update(is_hidden=True)
    other = Domain.objects.create(slug="x", name="X", base_url="http://x.test", client_id="a", client_secret="b")
    sample(queues[1], NOON, late=60)
    sample(Queue.objects.create(domain=other, number="501"), NOON, late=60)

    assert day_figures.by_queue(domain, DAY) == []


def test_a_minute_in_which_two_queues_are_late_counts_once(board: Board, queues: list[Queue]) -> None:
    sample(queues[0], NOON, late=60)
    sample(queues[1], NOON, late=30)
    sample(queues[1], NOON + timedelta(minutes=1), late=30)

    assert today(board)["late_seconds"] == 90


def test_only_the_boards_own_queues_count(board: Board, queues: list[Queue]) -> None:
    sample(queues[0], NOON, late=60)
    sample(queues[1], NOON, late=30)

    changed = editing.update(board, editing.BoardInput("x", layout=Layout(queues=("502",))))

    assert today(changed)["late_seconds"] == 30


def test_calls_of_a_board_with_chosen_queues_are_theirs_as_on_a_card_of_totals(
    board: Board, queues: list[Queue]
) -> None:
    leg(board.domain, "not through a queue", NOON)
    changed = editing.update(board, editing.BoardInput("x", layout=Layout(queues=("502",))))
    grid = parse({"cards": [{"id": "c1", "kind": "totals", "x": 0, "y": 0, "w": 6, "h": 2, "queues": ["502"]}]})
    unseen = today(changed)

    leg(board.domain, "ours", NOON, to_user="502", queue="502")
    leg(board.domain, "other", NOON, to_user="501", queue="501")
    cache.clear()
    card = msgspec.to_builtins(figures.figures(board.domain, grid, NOON + timedelta(minutes=1))["c1"])

    assert (unseen["ended"], unseen["unanswered"]) == (None, None)
    assert (today(changed)["ended"], today(changed)["unanswered"]) == (1, 1)
    assert today(changed) == {name: value for name, value in card.items() if name != "of"}


def test_boards_of_the_same_queues_share_one_count_a_minute(board: Board, queues: list[Queue]) -> None:
    other = editing.create(board.domain, editing.BoardInput("Other"))
    today(board)

    with CaptureQueriesContext(connection) as asked:
        figures_of_both = [today(each) for each in (board, other)]

    assert figures_of_both[0] == figures_of_both[1]
    assert len(asked) == 0


def test_a_call_is_answered_when_a_person_takes_it(domain: Domain) -> None:
    leg(domain, "taken", NOON, to_user="501", queue="501", is_answered=True)
    leg(domain, "taken", NOON, is_answered=True)
    leg(domain, "queue only", NOON, to_user="501", queue="501", is_answered=True)
    leg(domain, "machine", NOON, is_answered=True, is_human=False)
    leg(domain, "rang", NOON)
    leg(domain, "still up", NOON, ended_at=None)
    leg(domain, "from inside", NOON, from_user="102")
    leg(domain, "yesterday", NOON - timedelta(days=1))

    assert external_calls(domain.pk, DAY.begin, DAY.end) == ExternalCalls(ended=4, answered=1)


def test_legs_without_a_callers_id_are_calls_of_their_own(domain: Domain) -> None:
    leg(domain, "", NOON, to_user="501", queue="501")
    leg(domain, "", NOON, is_answered=True)
    leg(domain, "", NOON, ended_at=None)

    assert external_calls(domain.pk, DAY.begin, DAY.end) == ExternalCalls(ended=2, answered=1)
    assert external_calls(domain.pk, DAY.begin, DAY.end, queues=["501"]) == ExternalCalls(ended=1, answered=0)


def test_todays_document_changes_with_the_minute(board: Board, queues: list[Queue]) -> None:
    with time_machine.travel(NOON + timedelta(seconds=41), tick=False):
        sample(queues[0], NOON - timedelta(minutes=5), late=60)
        leg(board.domain, "rang", NOON - timedelta(hours=1))

        [(key, (version, value))] = figures.documents(board).items()

    assert (key, version) == ("today", figures.figure_version(board, NOON))
    assert msgspec.to_builtins(value) == {
        "at": int(NOON.timestamp() * 1000),
        "since": int(DAY.begin.timestamp() * 1000),
        "late_seconds": 60,
        "ended": 1,
        "unanswered": 1,
        "counted_since": int((NOON - timedelta(hours=1)).timestamp() * 1000),
        "missing": None,
        "why": "",
    }


def test_a_report_can_be_downloaded(board: Board, queues: list[Queue], sign_in: SignIn) -> None:
    Queue.objects.filter(pk=queues[0].pk).update(name="=HYPERLINK(1)")
    sample(queues[0], NOON, late=60)

    response = sign_in("supervisor").get("/reports/?first=2026-03-04&last=2026-03-04&as=csv")

    lines = response.content.decode("utf-8-sig").splitlines()
    assert lines[1] == "2026-03-04 12:00,501,'=HYPERLINK(1),1,0,0,1,10,1,"
    assert response.headers["Content-Disposition"] == 'attachment; filename="queues-2026-03-04-2026-03-04.csv"'


def test_the_log_can_be_downloaded_without_formulas(board: Board, sign_in: SignIn) -> None:
    leg(board.domain, "rang", NOON, from_name="=SUM(A1)", from_number="+12125550171")

    response = sign_in("supervisor").get("/calls/?as=csv")

    line = response.content.decode("utf-8-sig").splitlines()[1]
    assert line.startswith("2026-03-04 12:00:00,in,'+1 212-555-0171,'=SUM(A1),")


def test_the_log_is_searched_by_number(board: Board, sign_in: SignIn) -> None:
    leg(board.domain, "one", NOON, from_number="+4930901820", caller_e164="+4930901820")
    leg(board.domain, "two", NOON, from_number="+4940111222", caller_e164="+4940111222")

    page = sign_in("supervisor").get("/calls/?q=030 901820").content.decode()

    assert "030 901820" in page
    assert "040 111222" not in page


def test_a_call_over_midnight_counts_once_with_what_became_of_it(domain: Domain) -> None:
    leg(domain, "late", DAY.end - timedelta(minutes=1), to_user="501", queue="501")
    leg(domain, "late", DAY.end + timedelta(minutes=1), is_answered=True)
    spans = [(DAY.begin, DAY.end), (DAY.end, DAY.end + timedelta(days=1))]

    assert external_calls_by_span(domain.pk, spans) == [ExternalCalls(1, 1), ExternalCalls(0, 0)]
    assert [external_calls(domain.pk, *span) for span in spans] == [ExternalCalls(1, 1), ExternalCalls(0, 0)]
    assert external_calls(domain.pk, DAY.end) == ExternalCalls(0, 0)


@pytest.mark.parametrize(("ids", "row"), [("shared", (1, 0, 1)), ("per_leg", ("", "", ""))])
def test_calls_are_told_by_day_only_where_their_legs_share_an_id(domain: Domain, ids: str, row: tuple[object]) -> None:
    leg(domain, "one", NOON)
    findings.overrule(domain, "caller_ids", ids, None)

    [_head, told] = sheets.call_rows(day_figures.calls_by_day(domain, DAY), ZONE)

    assert tuple(told)[1:4] == row
