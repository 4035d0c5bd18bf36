"""Notes reach the card of whoever talks with the caller next, though a call itself names no number."""

import re
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.desk.card.test_card import THURSDAY_AT_NOON, shown
from tests.desk.conftest import Company
from wallboard.desk import agent_day, notes


@pytest.fixture(autouse=True)
def noon() -> Any:
    with time_machine.travel(THURSDAY_AT_NOON, tick=False):
        yield


def test_what_a_colleague_noted_in_this_call_is_said_though_the_number_is_withheld(company: Company) -> None:
    withheld: dict[str, Any] = {"from_number": "anonymous", "from_name": "", "caller_e164": ""}
    hers = company.leg("101", call="transfer", minutes_ago=5, talked=190, **withheld)
    notes.save(company.ana, hers, "wants a refund", 1)
    other = company.leg("101", call="another", minutes_ago=50, talked=10, **withheld)
    notes.save(company.ana, other, "somebody else", 1)

    told = shown(company, company.leg(call="transfer", **withheld))

    assert told["sentences"] == ["Ana spoke with them first, for 3:10.", "Ana noted: “wants a refund”."]
    assert told["earlier"] == []


def test_what_was_noted_on_a_call_that_was_passed_on_is_said_at_the_next(company: Company) -> None:
    hers = company.leg("101", call="first", minutes_ago=50, talked=100)
    of_ana: dict[str, Any] = {"from_user": "101", "from_number": "101", "caller_e164": "", "on_net": True}
    mine = company.leg(call="passed on", minutes_ago=48, talked=300, by_call_id=hers.to_call_id, **of_ana)
    notes.save(company.mia, mine, "promised a refund", 1)

    told = shown(company, company.leg())

    assert told["sentences"] == ["Second call today.", "You spoke with them today at 11:12: “promised a refund”."]
    lines = [(line["who"], line["talked"], line["number"]) for line in told["earlier"]]
    assert lines == [("Mia", "5:00", ""), ("Ana", "1:40", "")]


def test_of_a_frequent_caller_it_is_said_as_well(company: Company) -> None:
    for index in range(60):
        for _ in range(4):
            hers = company.leg("101", call=f"call {index}", minutes_ago=300 - index, talked=10)
        notes.save(company.ana, hers, "as always", 1)
    of_ana: dict[str, Any] = {"from_user": "101", "from_number": "101", "caller_e164": "", "on_net": True}
    mine = company.leg(call="passed on", minutes_ago=48, talked=300, by_call_id=hers.to_call_id, **of_ana)
    notes.save(company.mia, mine, "promised a refund", 1)

    told = shown(company, company.leg())

    assert any("promised a refund" in sentence for sentence in told["sentences"])


def test_no_statement_reads_all_of_a_company(company: Company) -> None:
    """SQLite is told nothing of how many rows there are, so that it takes an index by how a question is put."""
    if connection.vendor != "sqlite":
        return
    hers = company.leg("101", call="first", minutes_ago=50, talked=100)
    of_ana: dict[str, Any] = {"from_user": "101", "from_number": "101", "caller_e164": "", "on_net": True}
    mine = company.leg(call="passed on", minutes_ago=48, talked=300, by_call_id=hers.to_call_id, **of_ana)
    notes.save(company.mia, mine, "promised a refund", 1)
    ringing = company.leg()

    with CaptureQueriesContext(connection) as asked:
        shown(company, ringing)
        agent_day.day(company.viewer(company.mia), company.domain)

    plans = []
    with connection.cursor() as cursor:
        for query in asked.captured_queries:
            cursor.execute("EXPLAIN QUERY PLAN " + query["sql"])
            plans += [row[3] for row in cursor.fetchall()]
    assert any("desk_note" in plan for plan in plans)
    assert [plan for plan in plans if re.search(r"(calls_leg|desk_note) USING INDEX \w+ \(domain_id=\?\)", plan)] == []
