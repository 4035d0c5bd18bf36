"""Letters beyond ASCII in what was recorded: erasing finds them, also in texts as earlier releases kept them."""

import json
from typing import Any

import msgspec
import pytest

from accounts.models import Domain, Person
from tests.boards.conftest import SignIn
from tests.boards.conftest import sign_in as sign_in
from tests.privacy.erasing import erase
from tests.replay.floor import NOON, Recorded, recorded
from tests.replay.test_forgetting import domain as domain
from tests.replay.test_forgetting import everything
from wallboard.boards.models import Board
from wallboard.calls.documents import LegDocument, PartyDocument
from wallboard.calls.presence.documents import PersonDocument
from wallboard.calls.retention import traces
from wallboard.live import feeds
from wallboard.live.feeds import encoded
from wallboard.replay import departures, patches, rewriting
from wallboard.replay.patches import Verbatim

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis_url")]


def leg(name: str, number: str) -> LegDocument:
    caller, taker = PartyDocument(name, number, ""), PartyDocument("Zoë", "", "101")
    return LegDocument(
        id=1, call="c", state="talking", direction="in", source=caller, target=taker, queue=None, via=[], since=1,
        started=1, heard=1, unconfirmed=False,
    )  # fmt: skip


def person(extension: str, name: str, other: str) -> PersonDocument:
    return PersonDocument(
        extension=extension, name=name, state="talking", since=1, direction="internal", other=other, heard=1,
        unconfirmed=False, status=None,
    )  # fmt: skip


def as_before(document: Any) -> str:
    """As an earlier release wrote a document again that it had recorded."""
    return json.dumps(document, separators=(",", ":"), default=msgspec.to_builtins)


@pytest.fixture(params=["now", "before"])
def floor(request: Any, domain: Domain, monkeypatch: pytest.MonkeyPatch) -> Recorded:
    """Zoë talks to Bo; one of two callers is Jörg."""
    with monkeypatch.context() as patched:
        if request.param == "before":
            patched.setattr(patches, "encoded", as_before)
        floor = recorded(domain.pk, (Board.objects.create(domain=domain, name="B", slug="b").pk,))
        for extension, name, other in (("101", "Zoë", "Bo"), ("102", "Bo", "Zoë")):
            Person.objects.create(domain=domain, extension=extension, name=name)
            feeds.people(domain.pk).publish({extension: (1, person(extension, name, other))})
        feeds.calls(domain.pk).publish({"1": (1, leg("Jörg", "030 901820")), "2": (1, leg("Otto", "030 1234567"))})
        feeds.wall(domain.pk).publish({"1": (1, leg("", "••• ••20")), "2": (1, leg("", "••• ••67"))})
        floor.look(NOON)
        floor.recorder.flush()
    return floor


def test_an_erased_number_goes_with_its_name_and_the_time_is_still_replayed(
    floor: Recorded, domain: Domain, sign_in: SignIn
) -> None:
    trace = traces.of("+4930901820", "DE")
    assert trace is not None

    erase(domain, trace)

    text = everything(domain)
    assert [word for word in ("Jörg", "901820", "••20") if word in text] == []
    assert [word for word in ("Otto", "1234567", "••67", "Zoë") if word not in text] == []
    assert sign_in("agent").get(f"/boards/b/replay/frames/?at={1000 * NOON}").status_code == 200


def test_who_is_deleted_goes(floor: Recorded, domain: Domain) -> None:
    Person.objects.get(extension="101").delete()

    departures.take_out()

    text = everything(domain)
    assert "Zoë" not in text
    assert "Jörg" in text


def test_what_an_earlier_release_spoilt_is_read_as_it_was() -> None:
    text = '{"name":"Zoë"}'

    assert patches.applied(None, [text]) == Verbatim(text)
    assert patches.text_of(patches.applied(None, [text])) == text


def test_a_text_in_which_nothing_has_to_go_stays_that_text() -> None:
    text = Verbatim('{"name": "Zoë"}')

    found = rewriting._documents("calls", {"1": text}, lambda _feed, _key, document: dict(document))

    assert found["1"] is text


def test_half_a_letter_is_written_so_that_it_can_be_sent() -> None:
    assert encoded({"name": "a\ud800"}).encode() == b'{"name":"a\\ud800"}'
    assert encoded({"name": "Zoë"}) == '{"name":"Zoë"}'
