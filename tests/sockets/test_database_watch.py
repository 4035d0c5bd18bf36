"""Whether the database takes deliveries is looked at every two seconds."""

import asyncio
import threading

import pytest
from django.db import DatabaseError, InterfaceError

from accounts.signin.rights import RightsReader
from tests.live.conftest import until
from wallboard.sockets import database_watch
from wallboard.sockets.database_watch import DatabaseWatch, look


@pytest.mark.django_db(transaction=True)
def test_a_database_that_answers_takes_deliveries() -> None:
    assert look(RightsReader()) == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("error", [DatabaseError, InterfaceError])
def test_one_that_refuses_to_write_does_not(error: type[Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> int:
        raise error

    monkeypatch.setattr("django.db.models.query.QuerySet.update", refuse)

    assert look(RightsReader()) is None


async def test_every_good_look_is_a_proof_and_one_that_hangs_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    may_answer, proofs = threading.Event(), list[int]()
    may_answer.set()
    monkeypatch.setattr(database_watch, "LOOK_SECONDS", 0.02)
    monkeypatch.setattr(database_watch, "look", lambda reader: may_answer.wait() and [])
    watch = DatabaseWatch(lambda changes: proofs.append(1))
    await until(lambda: len(proofs) > 2)

    may_answer.clear()
    await asyncio.sleep(0.1)
    before = len(proofs)
    await asyncio.sleep(0.2)

    assert len(proofs) == before
    may_answer.set()
    await until(lambda: len(proofs) > before)
    watch.stop()
