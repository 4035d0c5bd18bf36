"""A queue that gets another number at the provider: said in a sentence, and nothing kept is lost."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts.encryption import sealed
from accounts.models import CompanyToken, Domain
from tests.conftest import MakeSimulator
from tests.queues.conftest import Read, row
from wallboard.queues import editing, polling, renumbering
from wallboard.queues.models import PollState, Queue, Reading
from wallboard.setup import status_checks

HOUR = timedelta(hours=1)


def seen_before(domain: Domain) -> None:
    Queue.objects.filter(domain=domain).update(first_seen_at=timezone.now() - 30 * HOUR)


def renumbered(domain: Domain, read: Read) -> None:
    """8001 and 8002 are known since yesterday; 8001 is 8009 from now on."""
    read(row("8001", 1, 30), row("8002"))
    seen_before(domain)
    editing.edit(Queue.objects.get(number="8001"), name="Sales")
    read(row("8009", 1, 30), row("8002"))


def test_one_that_goes_and_one_that_comes_are_told_in_a_sentence(domain: Domain, read: Read) -> None:
    renumbered(domain, read)

    [found] = renumbering.found(domain.pk)
    [sentence] = renumbering.sentences(domain)
    [check] = [each for each in status_checks.contradictions(domain) if each.title == "Queue numbers"]

    assert (set(found.gone), set(found.new)) == ({"8001"}, {"8009"})
    assert sentence.startswith("The provider no longer names queue 8001 (Sales) since ")
    assert ", and queue 8009 is new since then: it was probably renumbered." in sentence
    assert check.summary == sentence


def test_what_was_kept_stays_and_the_sentence_goes_once_the_old_one_is_off_the_boards(
    domain: Domain, read: Read
) -> None:
    renumbered(domain, read)
    readings = Reading.objects.count()

    editing.edit(Queue.objects.get(number="8001"), is_hidden=True)

    assert renumbering.sentences(domain) == []
    assert Reading.objects.count() == readings == 2
    assert set(Queue.objects.values_list("number", flat=True)) == {"8001", "8002", "8009"}


def test_a_queue_that_only_goes_or_only_comes_is_no_renumbering(domain: Domain, read: Read) -> None:
    read(row("8001"), row("8002"))
    seen_before(domain)
    read(row("8001"), row("8002"), row("8003"))
    only_new = renumbering.found(domain.pk)
    Queue.objects.filter(number="8003").update(first_seen_at=timezone.now() - HOUR)
    read(row("8002"), row("8003"))

    assert only_new == renumbering.found(domain.pk) == []


def test_an_answer_that_lacks_rows_for_a_while_is_none_either(domain: Domain, read: Read) -> None:
    renumbered(domain, read)

    read(row("8001"), row("8002"), row("8009"))

    assert renumbering.found(domain.pk) == []


def test_several_at_once_are_one_sentence(domain: Domain, read: Read) -> None:
    read(*(row(number) for number in ("8001", "8002", "8003")))
    seen_before(domain)
    read(*(row(number) for number in ("9001", "9002", "8003")))

    [sentence] = renumbering.sentences(domain)

    assert "queues 8001, 8002 since" in sentence
    assert "9001, 9002 are new" in sentence


def test_what_it_spoils_is_each_number_by_itself_on_that_day_only(domain: Domain, read: Read) -> None:
    renumbered(domain, read)
    now = timezone.now()

    assert renumbering.split_in(domain.pk, now - HOUR, now + HOUR) == {"8001", "8009"}
    assert renumbering.split_in(domain.pk, now + HOUR, now + 2 * HOUR) == frozenset()
    spoiled = [
        renumbering.is_split(domain.pk, numbers, now - HOUR, now + HOUR)
        for numbers in ({"8001"}, {"8009", "8002"}, {"8001", "8009", "8002"}, {"8002"}, None)
    ]
    assert spoiled == [True, True, False, False, False]


@pytest.mark.flow
def test_the_real_service_gives_a_queue_another_number_in_the_middle_of_a_day(
    domain: Domain, make_simulator: MakeSimulator
) -> None:
    simulator = make_simulator(scenario="quiet")
    domain.base_url, domain.client_id = simulator.base_url, simulator.client_id
    domain.client_secret = sealed(simulator.client_secret)
    domain.save()
    CompanyToken.objects.all().delete()
    polling.poll_now(domain)
    seen_before(domain)
    known = set(Queue.objects.values_list("number", flat=True))

    simulator.control("queues/renumber", {"number": "4001", "to": "4999"})
    with time_machine.travel(timezone.now() + timedelta(seconds=30)):
        polling.poll_now(domain)

        [sentence] = renumbering.sentences(domain)
    assert "queue 4001 since" in sentence
    assert "queue 4999 is new" in sentence
    assert set(PollState.objects.get().figures) == known | {"4999"}
