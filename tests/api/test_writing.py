"""Programs take call-backs and write notes, in the name of people, as far as their token sees."""

from base64 import urlsafe_b64decode
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from django.utils import timezone

from accounts import limits
from accounts.models import AuditEntry, Domain, Person
from tests.api.conftest import MakeProgram, make_leg, problem
from wallboard.api import paging
from wallboard.calls.models import Leg
from wallboard.desk import callbacks, outcomes
from wallboard.desk.models import CallBack, Note

NUMBER = "+4930901820"


@pytest.fixture
def missed(floor: Domain) -> Domain:
    """The caller who rang Ben has left."""
    Leg.objects.filter(from_call_id="two").update(ended_at=timezone.now() - timedelta(seconds=5))
    callbacks.invalidate_cache(floor.pk)
    return floor


def asked(**more: Any) -> dict[str, Any]:
    return {"number": NUMBER, "act": "take", "extension": "302", **more}


def test_a_call_back_is_taken_and_finished_in_somebodys_name(missed: Domain, make_program: MakeProgram) -> None:
    program = make_program("call-backs", "call-backs:write", "numbers")
    assert program.ask("call-backs", "POST", json=asked()).status_code == 204
    assert CallBack.objects.get().owner == Person.objects.get(extension="302")

    assert problem(program.ask("call-backs", "POST", json=asked(extension="301")))[0] == 409
    assert program.ask("call-backs", "POST", json=asked(act="done")).status_code == 204
    assert msgspec.json.decode(program.ask("call-backs").content)["items"] == []
    assert problem(program.ask("call-backs", "POST", json=asked()))[0] == 404


def test_no_program_writes_without_the_scope_or_beyond_its_limit(missed: Domain, make_program: MakeProgram) -> None:
    assert problem(make_program("call-backs").ask("call-backs", "POST", json=asked()))[0] == 403
    assert problem(make_program("notes").ask("notes", "POST", json={"call": "two", "extension": "302"}))[0] == 403
    limited = make_program("call-backs:write", "notes:write", team=limits.save_team(missed, "Day", ["301"]))
    assert problem(limited.ask("call-backs", "POST", json=asked()))[0] == 422
    assert problem(limited.ask("call-backs", "POST", json=asked(extension="301")))[0] == 404
    assert problem(limited.ask("notes", "POST", json={"call": "two", "extension": "301"}))[0] == 404
    assert (CallBack.objects.exists(), Note.objects.exists()) == (False, False)


def test_a_note_is_written_and_replaced(floor: Domain, make_program: MakeProgram) -> None:
    outcomes.save_outcomes(floor, ["Solved"])
    program = make_program("notes:write", "notes")
    body = {"call": "two", "extension": "302", "text": "Wants a copy"}
    made = program.ask("notes", "POST", json=body)
    told = msgspec.json.decode(made.content)
    assert (made.status_code, told["text"], told["written_by"], told["number"]) == (
        201,
        "Wants a copy",
        "Ben",
        "••• ••20",
    )

    program.ask("notes", "POST", json=body | {"text": "Has it", "outcome": "Solved"})
    [note] = msgspec.json.decode(program.ask("notes").content)["items"]
    assert (note["text"], note["outcome"]) == ("Has it", "Solved")
    assert problem(program.ask("notes", "POST", json=body | {"outcome": "Nonsense"}))[0] == 422
    assert problem(program.ask("notes", "POST", json=body | {"extension": "999"}))[0] == 422
    logged = AuditEntry.objects.filter(what="note changed").values_list("who", "about", "changes")
    assert list(logged) == [("API: Report script", "••• ••20", {"person": ["", "302 Ben"]})] * 2


def test_pages_of_call_backs_leave_out_nobody_while_others_are_called_back(
    missed: Domain, make_program: MakeProgram
) -> None:
    now = timezone.now()
    for index in range(4):
        began = now - timedelta(minutes=index + 1)
        times = {"first_seen_at": began, "heard_at": began, "ended_at": began + timedelta(seconds=20)}
        make_leg(missed, f"more-{index}", to_user="302", from_number=f"+4930901830{index}", **times)
    callbacks.invalidate_cache(missed.pk)
    program = make_program("call-backs", "call-backs:write", "numbers")
    every = [each["number"] for each in program.ask("call-backs").json()["items"]]
    assert len(every) == 5

    first = program.ask("call-backs?limit=2").json()
    program.ask("call-backs", "POST", json=asked(number=every[0], act="done"))
    second = program.ask(f"call-backs?limit=2&cursor={first['next']}").json()

    assert [each["number"] for each in first["items"] + second["items"]] == every[:4]
    assert "493090" not in urlsafe_b64decode(first["next"] + "==").decode()


def test_a_log_can_be_read_to_its_end(make_program: MakeProgram) -> None:
    cursor = paging.encode(paging.Place(150_000))

    assert make_program("calls").ask(f"calls/log?cursor={cursor}").json()["items"] == []
