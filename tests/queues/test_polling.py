"""Reading the queues: what is kept, what is told, and what a miss looks like."""

from tests.queues.conftest import row
from wallboard.queues import news
from wallboard.queues.models import Queue, Reading, Target


def test_poll_keeps_the_reading_and_makes_the_queues(domain, read):
    state = read(row("8001", 3, 45, 20), row(8002))

    assert state.figures["8001"][1]["waiting"] == 3
    assert list(Queue.objects.values_list("number", flat=True)) == ["8001", "8002"]
    assert Reading.objects.get().figures["8001"] == [3, 45, 20, 4, 2, "normal"]
    assert (state.failure, state.failing_since, state.version) == ("", None, 1)


def test_poll_makes_the_default_targets_once(domain, read):
    read(row("8001"))
    read(row("8001"), row("8002"))

    target = Target.objects.get()
    assert (target.queue, target.longest_wait_watch_seconds, target.longest_wait_late_seconds) == (None, 60, 120)


def test_poll_tells_the_feed_exactly_what_the_database_holds(domain, read, feed):
    read(row("8001", 3, 45, 20), row("8002"))
    read(row("8001", 3, 130, 60), row("8002"))

    assert feed() == news.documents(domain.pk)
