"""Who is blamed for a phone that never answers, where events are lost, voicemails answer and the floor is busy."""

from datetime import timedelta

import pytest

from accounts.models import Domain, Person
from tests.alerts.detecting.conftest import Figures, Look, Ring
from tests.alerts.detecting.test_people import rings
from tests.alerts.detecting.test_queues import waiting_leg
from wallboard.calls.models import Leg, Presence

pytestmark = pytest.mark.usefixtures("events", "people")


def test_a_voicemail_answers_for_nobody(look: Look, ring: Ring) -> None:
    for at in range(900, 1620, 120):
        ring("102", ago=at, call=f"c{at}", is_human=True)
        ring("102", ago=at - 21, lasts=15, call=f"c{at}", is_human=False, answered=True)
        ring("103", ago=at - 60, lasts=30, answered=True)

    assert [each.subject for each in look("phone", 0)] == ["102"]


def test_voicemails_of_others_are_no_others_who_answer(look: Look, ring: Ring) -> None:
    rings(ring, others=False)
    ring("103", ago=560, lasts=15, is_human=False, answered=True)

    assert look("phone", 0) == []


@pytest.mark.parametrize("is_one_id", [True, False])
def test_a_group_blames_nobody_whose_end_was_lost(look: Look, ring: Ring, is_one_id: bool) -> None:
    for at in range(900, 1500, 150):
        calls = [f"c{at}", f"c{at}" if is_one_id else f"d{at}"]
        ring("102", ago=at, lasts=60, call=calls[0], from_number=f"+493000{at}", has_record=True)
        ring("103", ago=at, lasts=50, call=calls[1], from_number=f"+493000{at}", answered=True)

    assert look("phone", 0) == []


def test_answers_to_other_calls_hide_no_phone(look: Look, ring: Ring) -> None:
    for at in range(900, 1620, 120):
        ring("102", ago=at, from_number="+4930111")
        answer = ring("103", ago=at - 18, lasts=40, answered=True, from_number="+4930222")
        Leg.objects.filter(pk=answer.pk).update(active_at=answer.first_seen_at + timedelta(seconds=3))

    assert [each.subject for each in look("phone", 0)] == ["102"]


def test_an_answer_counts_whose_ringing_was_lost(look: Look, ring: Ring) -> None:
    rings(ring)
    assert look("phone", 0)

    ring("102", ago=30, lasts=None, answered=True, ringing_at=None, to_state="active")

    assert look("phone", 0) == []


def test_who_is_kept_off_the_boards_calls_nobody(look: Look, ring: Ring) -> None:
    Person.objects.filter(extension="102").update(is_hidden=True)
    rings(ring)

    assert look("phone", 0) == []


def test_a_ring_whose_end_was_lost_keeps_nobody_busy(look: Look, figures: Figures, ring: Ring, domain: Domain) -> None:
    waiting_leg(domain)
    leg = ring("102", ago=1200, lasts=None, is_unconfirmed=True)
    Presence.objects.filter(person__extension="102").update(state="ringing", leg=leg, is_unconfirmed=True)

    assert look("no_ring", 120, figures, waiting=2, available=1, agents=2)
