"""Queues of which the provider tells for the first time: from when on their calls may have passed for a person's."""

from accounts.models import Domain
from tests.queues.conftest import Read, row
from wallboard.queues import polling
from wallboard.queues.models import Queue
from wallboard.queues.past_changes import EVER


def test_a_new_queue_may_have_been_there_since_the_last_reading_without_it(domain: Domain, read: Read) -> None:
    first = read(row("8001")).read_at
    read(row("8001"), row("8002"))
    read(row("8001"), row("8002"))

    assert list(Queue.objects.values_list("number", "mistaken_since")) == [("8001", EVER), ("8002", first)]


def test_a_queue_that_was_kept_before_it_was_read_stays_as_it_is(domain: Domain, read: Read) -> None:
    polling.keep(domain, ["8001"], None)
    Queue.objects.update(name="Sales", mistaken_since=None)

    read(row("8001"))

    assert list(Queue.objects.values_list("number", "name", "mistaken_since")) == [("8001", "Sales", None)]
