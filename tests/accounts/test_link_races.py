"""Linking by a call when everything happens at the same moment."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from accounts.models import AuditEntry, LinkNumber, Person, User
from accounts.signin import linking
from tests.accounts.conftest import make_domain
from tests.accounts.signin.test_linking import waits

pytestmark = pytest.mark.django_db(transaction=True)
AT_ONCE = 4


def together(work: Callable[[int], Any]) -> list[Any]:
    """What `work` gave in each of some threads that began at once."""
    start = Barrier(AT_ONCE)

    def run(number: int) -> Any:
        try:
            start.wait()
            return work(number)
        finally:
            connection.close()

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(run, range(AT_ONCE)))


def test_one_page_in_many_tabs_links_once() -> None:
    domain = make_domain("main")
    user = waits(domain)
    linking.number_dialled(
        domain.pk, linking.issue_number(user, domain, ()).number, "101", timezone.now() + timedelta(seconds=1)
    )
    LinkNumber.objects.update(heard_at=timezone.now() - timedelta(seconds=9))

    linked = together(lambda _: linking.settle(User.objects.get(pk=user.pk)))

    assert [person.extension for person in linked if person] == ["101"]
    assert AuditEntry.objects.filter(what="linked by a call").count() == 1


def test_one_extension_goes_to_one_of_many() -> None:
    domain = make_domain("main")
    users = [waits(domain, str(number), f"222{number}") for number in range(AT_ONCE)]
    for user in users:
        linking.number_dialled(
            domain.pk, linking.issue_number(user, domain, ()).number, "101", timezone.now() + timedelta(seconds=1)
        )
    LinkNumber.objects.update(heard_at=timezone.now() - timedelta(seconds=9))

    linked = together(lambda number: linking.settle(users[number]))

    assert len([person for person in linked if person]) == 1
    assert Person.objects.get().user in users
    assert LinkNumber.objects.filter(outcome="taken").count() == AT_ONCE - 1


def test_many_phones_at_once_are_refused_together() -> None:
    domain = make_domain("main")
    user = waits(domain)
    number = linking.issue_number(user, domain, ()).number

    together(
        lambda which: linking.number_dialled(domain.pk, number, f"10{which}", timezone.now() + timedelta(seconds=1))
    )
    LinkNumber.objects.update(heard_at=timezone.now() - timedelta(seconds=9))

    assert linking.settle(user) is None
    assert LinkNumber.objects.get().outcome == "two phones"
    assert AuditEntry.objects.filter(what="link by a call refused").count() == 1


def test_many_tabs_that_ask_for_a_number_leave_one_open() -> None:
    domain = make_domain("main")
    user = waits(domain)

    together(lambda _: linking.issue_number(User.objects.get(pk=user.pk), domain, ()))

    [open_number] = LinkNumber.objects.filter(outcome="")
    assert User.objects.get().link_code == open_number.number
