"""Whom boards do not show any more is named by no replay either, from that moment on."""

from collections.abc import Callable
from typing import Any

import pytest

from accounts.models import Domain, Person
from tests.boards.conftest import SignIn
from tests.boards.conftest import sign_in as sign_in
from tests.replay.floor import NOON, Recorded
from tests.replay.test_forgetting import domain as domain
from tests.replay.test_letters import floor as floor

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis_url")]


def hide(person: Person) -> None:
    person.is_hidden = True
    person.save()


@pytest.mark.parametrize("leave", [hide, Person.delete])
def test_nobody_is_named_whom_boards_do_not_show(
    floor: Recorded, domain: Domain, sign_in: SignIn, leave: Callable[[Person], Any]
) -> None:
    client, address = sign_in("administrator"), f"/boards/b/replay/frames/?at={1000 * NOON}"
    told = client.get(address).json()["feeds"]
    assert told["people"]["102"]["with"] == "Zoë"

    leave(Person.objects.get(extension="101"))

    left = client.get(address).json()["feeds"]
    assert list(left["people"]) == ["102"]
    assert left["people"]["102"] == told["people"]["102"] | {"with": ""}
    assert "Zoë" not in str(left)
    assert "Jörg" in str(left)
