"""One pop per call and person, decided by the database."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
import time_machine
from django.db import connection
from django.utils import timezone

from tests.desk.conftest import Company, make_company
from wallboard.desk import claims
from wallboard.desk.models import Claim


def test_the_first_page_gets_the_call_and_the_second_does_not(company: Company) -> None:
    assert claims.claim(company.mia.pk, "call", "page-one")
    assert not claims.claim(company.mia.pk, "call", "page-two")


def test_a_reload_gets_its_call_back(company: Company) -> None:
    claims.claim(company.mia.pk, "call", "page-one")
    claims.release(company.mia.pk, "page-one")

    assert not claims.claim(company.mia.pk, "call", "page-two")
    assert claims.claim(company.mia.pk, "call", "page-one")


def test_another_page_takes_over_when_the_holder_fell_silent(company: Company) -> None:
    claims.claim(company.mia.pk, "call", "page-one")

    with time_machine.travel(timezone.now() + claims.LEASE + timedelta(seconds=1)):
        assert claims.claim(company.mia.pk, "call", "page-two")
        assert claims.renew(company.mia.pk, ["call"], "page-one") == ["call"]


def test_a_renewed_claim_does_not_lapse(company: Company) -> None:
    claims.claim(company.mia.pk, "call", "page-one")
    with time_machine.travel(timezone.now() + claims.LEASE / 2):
        assert claims.renew(company.mia.pk, ["call"], "page-one") == []

    with time_machine.travel(timezone.now() + claims.LEASE + timedelta(seconds=1)):
        assert not claims.claim(company.mia.pk, "call", "page-two")


def test_a_page_that_said_goodbye_frees_its_calls_soon(company: Company) -> None:
    claims.claim(company.mia.pk, "call", "page-one")
    claims.release(company.mia.pk, "page-one")

    with time_machine.travel(timezone.now() + claims.GOODBYE + timedelta(seconds=1)):
        assert claims.claim(company.mia.pk, "call", "page-two")


def test_taking_over_by_hand_works_at_once(company: Company) -> None:
    claims.claim(company.mia.pk, "call", "page-one")

    assert claims.claim(company.mia.pk, "call", "page-two", take=True)
    assert claims.renew(company.mia.pk, ["call"], "page-one") == ["call"]


def test_people_and_calls_do_not_touch_each_other(company: Company) -> None:
    assert claims.claim(company.mia.pk, "call", "page-one")
    assert claims.claim(company.ana.pk, "call", "page-two")
    assert claims.claim(company.mia.pk, "other call", "page-two")


def test_a_closed_call_opens_again_only_when_it_rings_again(company: Company) -> None:
    rang_at = timezone.now()
    claims.claim(company.mia.pk, "call", "page-one")
    claims.close(company.mia.pk, ["call"], "page-one")

    assert claims.is_closed(company.mia.pk, "call", rang_at)
    assert not claims.is_closed(company.mia.pk, "call", timezone.now() + timedelta(seconds=1))


def test_claims_of_past_days_are_forgotten(company: Company) -> None:
    with time_machine.travel(timezone.now() - claims.RETENTION - timedelta(hours=1)):
        claims.claim(company.mia.pk, "old call", "page-one")

    claims.claim(company.mia.pk, "call", "page-one")

    assert [held.call_id for held in Claim.objects.all()] == ["call"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_lapsed", [False, True], ids=["new", "lapsed"])
def test_of_many_pages_at_once_exactly_one_gets_the_call(is_lapsed: bool) -> None:
    company = make_company("race")
    pages = 8
    for number in range(12):
        call = f"call {number}"
        if is_lapsed:
            gone = timezone.now() - timedelta(minutes=1)
            Claim.objects.create(person=company.mia, call_id=call, page="page-gone", until=gone)

        got = race(company.mia.pk, call, pages)

        assert Counter(got) == {True: 1, False: pages - 1}


def race(person_id: int, call: str, pages: int) -> list[bool]:
    start = Barrier(pages)

    def ask(page: int) -> bool:
        try:
            start.wait(10)
            return claims.claim(person_id, call, f"page-{page:04}")
        finally:
            connection.close()

    with ThreadPoolExecutor(pages) as pool:
        return list(pool.map(ask, range(pages)))
