"""One owner at a time, by the database alone."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection
from django.db.models.functions import Now

from accounts import leases
from accounts.models import Lease


def run_out(name: str) -> None:
    Lease.objects.filter(name=name).update(until=Now() - timedelta(seconds=1))


@pytest.mark.django_db
def test_lease_has_one_owner_until_it_is_released() -> None:
    first = leases.acquire("polling", 30)
    assert first is not None
    assert leases.acquire("polling", 30) is None

    first.release()

    assert leases.acquire("polling", 30) is not None


@pytest.mark.django_db
def test_lease_that_ran_out_goes_to_the_next_with_a_higher_fence() -> None:
    slow = leases.acquire("polling", 30)
    run_out("polling")
    quick = leases.acquire("polling", 30)

    assert slow is not None
    assert quick is not None
    assert quick.fence == slow.fence + 1
    assert slow.renew(30) is False
    assert quick.renew(30) is True


@pytest.mark.django_db
def test_those_that_somebody_holds_are_found_together() -> None:
    for name in ("held", "released", "over", "far"):
        lease = leases.acquire(name, 30)
        assert lease is not None
        if name == "released":
            lease.release()
    run_out("over")
    Lease.objects.filter(name="far").update(until=Now() + timedelta(minutes=20))  # of a clock that was set back

    assert leases.held(["held", "released", "over", "far", "none"], 30) == {"held"}


@pytest.mark.django_db
def test_late_release_does_not_free_the_next_owner() -> None:
    slow = leases.acquire("polling", 30)
    run_out("polling")
    quick = leases.acquire("polling", 30)

    assert slow is not None
    assert quick is not None
    slow.release()

    assert leases.acquire("polling", 30) is None


@pytest.mark.django_db
@pytest.mark.parametrize("is_released", [True, False])
def test_clock_that_was_set_back_holds_nobody_up(is_released: bool) -> None:
    held = leases.acquire("polling", 30)
    assert held is not None
    if is_released:
        held.release()
    Lease.objects.update(until=Now() + timedelta(minutes=20))  # by the clock of today, after a jump of twenty minutes

    next_one = leases.acquire("polling", 30)

    assert next_one is not None
    assert leases.acquire("polling", 30) is None
    assert held.renew(30) is False


@pytest.mark.django_db
def test_renewing_keeps_a_lease_that_is_about_to_end() -> None:
    held = leases.acquire("polling", 0.001)
    assert held is not None

    assert held.renew(30)

    assert leases.acquire("polling", 30) is None


@pytest.mark.django_db
def test_a_lease_taken_a_moment_ago_is_not_asked_for_again_and_an_older_one_is() -> None:
    held = leases.acquire("polling", 30)
    assert held is not None
    Lease.objects.update(owner="somebody else")

    assert held.renew(30, within=20) is True
    held.sure_since -= 25
    assert held.renew(30, within=20) is False


@pytest.mark.django_db
def test_block_releases_its_lease_when_it_fails() -> None:
    held = leases.acquire("polling", 30)
    assert held is not None
    with pytest.raises(RuntimeError), held:
        raise RuntimeError

    assert leases.acquire("polling", 30) is not None


@pytest.mark.django_db(transaction=True)
def test_many_threads_get_one_lease_though_the_row_does_not_exist_yet() -> None:
    def take(_: int) -> bool:
        try:
            return leases.acquire("fresh", 30) is not None
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        taken = list(pool.map(take, range(24)))

    assert sum(taken) == 1
