"""A while without cards, and callers that a person does not want to see."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from accounts.models import Person
from tests.desk.conftest import HANNA, Company
from tests.desk.test_desk_views import PAGE, post
from wallboard.desk.models import Rule

SignIn = Callable[[Person], Client]


def told(client: Client, leg: Any, **further: Any) -> dict[str, Any]:
    answer: dict[str, Any] = post(client, "pop", {"leg": leg.pk, "page": PAGE, **further}).json()
    return answer


def test_quiet_ends_by_itself(company: Company, signed_in: SignIn) -> None:
    mia, leg = signed_in(company.mia), company.leg()

    with time_machine.travel(timezone.now(), tick=False) as clock:
        answer = post(mia, "rules/quiet", {"is_quiet": True, "minutes": 30}).json()
        assert told(mia, leg) == {"quiet": True}
        assert "card" in told(mia, leg, take=True)
        clock.shift(timedelta(minutes=31))
        assert "card" in told(mia, company.leg())
        assert mia.get("/desk/day/").json()["quiet"] == {"is_quiet": False, "until": None}

    assert answer["is_quiet"] is True
    assert answer["until"] == round((Rule.objects.get().quiet_until or timezone.now()).timestamp() * 1000)


def test_quiet_without_an_end_lasts_until_it_is_changed(company: Company, signed_in: SignIn) -> None:
    mia, ana = signed_in(company.mia), signed_in(company.ana)
    post(mia, "rules/quiet", {"is_quiet": True, "minutes": None})

    assert mia.get("/desk/day/").json()["quiet"] == {"is_quiet": True, "until": None}
    assert told(mia, company.leg()) == {"quiet": True}
    assert "card" in told(ana, company.leg("101"))
    post(mia, "rules/quiet", {"is_quiet": False})
    assert "card" in told(mia, company.leg())


@pytest.mark.parametrize("wrong", [{}, {"is_quiet": True, "minutes": 0}, {"is_quiet": True, "minutes": 10**9}])
def test_nonsense_is_refused(company: Company, signed_in: SignIn, wrong: dict[str, Any]) -> None:
    assert post(signed_in(company.mia), "rules/quiet", wrong).status_code == 400


def test_a_caller_is_ignored_and_welcome_again(company: Company, signed_in: SignIn) -> None:
    mia, leg = signed_in(company.mia), company.leg()

    answer = post(mia, "rules/ignore", {"leg": leg.pk, "is_ignored": True}).json()
    twice = post(mia, "rules/ignore", {"leg": leg.pk, "is_ignored": True}).json()

    assert answer == twice == {"problem": "", "ignored": "030 901820"}
    assert told(mia, company.leg()) == {"quiet": True}
    assert post(mia, "rules/ignore", {"leg": leg.pk, "is_ignored": False}).json()["ignored"] == ""
    assert "card" in told(mia, company.leg())


def test_a_colleague_is_ignored_by_extension_and_nobody_without_a_number(company: Company, signed_in: SignIn) -> None:
    mia = signed_in(company.mia)
    internal = company.leg(from_user="101", from_number="101", caller_e164="", on_net=True)
    withheld = company.leg(from_number="anonymous", caller_e164="", from_name="")

    assert post(mia, "rules/ignore", {"leg": internal.pk, "is_ignored": True}).json()["ignored"] == "101"
    assert post(mia, "rules/ignore", {"leg": withheld.pk, "is_ignored": True}).json() == {
        "problem": "This caller withholds the number."
    }


def test_the_list_of_ignored_callers_has_an_end(company: Company, signed_in: SignIn) -> None:
    Rule.objects.create(person=company.mia, ignored=[f"+4930{number}" for number in range(100)])

    answer = post(signed_in(company.mia), "rules/ignore", {"leg": company.leg().pk, "is_ignored": True}).json()

    assert "At most 100" in answer["problem"]
    assert HANNA not in Rule.objects.get().ignored


def test_calls_of_others_cannot_be_ignored(company: Company, neighbours: Company, signed_in: SignIn) -> None:
    for leg in (company.leg("101"), neighbours.leg("102")):
        assert post(signed_in(company.mia), "rules/ignore", {"leg": leg.pk, "is_ignored": True}).status_code == 404
