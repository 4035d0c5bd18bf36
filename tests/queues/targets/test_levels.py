import pytest

from accounts.models import Domain
from wallboard.queues import editing
from wallboard.queues.models import Queue
from wallboard.queues.targets import levels
from wallboard.queues.targets.levels import Standards, Targets, judged

WAIT = Targets(longest_wait=(60, 120))


@pytest.mark.parametrize(
    ("figures", "targets", "expected"),
    [
        ((1, 59, 2), WAIT, ("normal", "")),
        ((1, 60, 2), WAIT, ("watch", "longest_wait")),
        ((1, 119, 2), WAIT, ("watch", "longest_wait")),
        ((1, 120, 2), WAIT, ("late", "longest_wait")),
        ((0, 500, 2), WAIT, ("normal", "")),
        ((1, None, None), WAIT, ("normal", "")),
        ((9, 900, 0), Targets(), ("normal", "")),
        ((5, 0, 2), Targets(waiting=(3, 5)), ("late", "waiting")),
        ((4, 0, 2), Targets(waiting=(3, 5)), ("watch", "waiting")),
        ((0, 0, 1), Targets(available_below=(2, 1)), ("watch", "available")),
        ((0, 0, 0), Targets(available_below=(2, 1)), ("late", "available")),
        ((0, 0, 2), Targets(available_below=(2, 1)), ("normal", "")),
        ((0, 0, None), Targets(available_below=(2, 1)), ("normal", "")),
        ((5, 70, 2), Targets(longest_wait=(60, 120), waiting=(3, 5)), ("late", "waiting")),
        ((0, 0, 0), Targets(available_below=(None, 1)), ("late", "available")),
        ((1, 300, 2), Targets(longest_wait=(60, None)), ("watch", "longest_wait")),
    ],
)
def test_level_and_reason(
    figures: tuple[int, int | None, int | None], targets: Targets, expected: tuple[str, str]
) -> None:
    waiting, longest_wait, available = figures

    assert judged(waiting, longest_wait, available, targets) == expected


@pytest.mark.parametrize(
    ("waiting", "average", "expected"),
    [
        (2, 44, ("normal", "")),
        (2, 45, ("watch", "average_wait")),
        (2, 90, ("late", "average_wait")),
        (0, 90, ("normal", "")),
        (2, None, ("normal", "")),
    ],
)
def test_the_average_wait_of_those_who_wait_now_is_judged(
    waiting: int, average: int | None, expected: tuple[str, str]
) -> None:
    targets = Targets(average_wait=(45, 90), service_below=(85, 80))

    assert judged(waiting, 20, 2, targets, average) == expected


def test_the_longest_wait_is_named_before_the_average() -> None:
    both = Targets(longest_wait=(60, 120), average_wait=(30, 60))

    assert judged(3, 130, 2, both, 70) == ("late", "longest_wait")
    assert judged(3, 70, 2, both, 65) == ("late", "average_wait")


def test_waits_that_are_none_of_now_can_be_left_out() -> None:
    asked = Targets(longest_wait=(60, 120), average_wait=(30, 60), waiting=(3, 5))
    standards = Standards(asked, {"501": asked})

    assert standards.without(["average"]).of("501") == Targets(longest_wait=(60, 120), waiting=(3, 5))
    assert standards.without(["longest", "average"]).default == Targets(waiting=(3, 5))


def test_a_service_level_is_worse_the_lower_it_is_and_makes_no_level_of_a_queue() -> None:
    assert [levels.level_below(value, (85, 80)) for value in (85, 84.9, 80, 79.9, None)] == [
        "normal", "watch", "watch", "late", "normal",
    ]  # fmt: skip
    assert not Targets(service_below=(85, 80)).makes_levels
    assert Targets(average_wait=(None, 60)).makes_levels


def test_a_queue_inherits_each_bound_that_it_does_not_set(domain: Domain) -> None:
    queue = Queue.objects.create(domain=domain, number="8001")
    editing.set_targets(
        domain, None, {"longest_wait_watch_seconds": 60, "longest_wait_late_seconds": 120, "waiting_late": 9}
    )
    editing.set_targets(domain, queue, {"longest_wait_late_seconds": 300, "waiting_watch": 0})

    standards = levels.standards(domain.pk)

    assert standards.of("8001") == Targets((60, 300), (0, 9), (None, None))
    assert standards.of("8002") == Targets((60, 120), (None, 9), (None, None))


def test_targets_of_one_domain_do_not_reach_another(domain: Domain) -> None:
    levels.make_default(domain)

    assert levels.standards(domain.pk + 1).of("8001") == Targets()


def test_the_default_is_made_once_and_never_overwritten(domain: Domain) -> None:
    editing.set_targets(domain, None, {"waiting_late": 3})

    levels.make_default(domain)

    assert levels.standards(domain.pk).default == Targets(waiting=(None, 3))
