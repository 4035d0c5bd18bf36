"""Stamps of forms; what they do on every page that has one stands in tests/security/test_two_tabs.py."""

import re
from typing import Any

import pytest
from django.http import Http404
from django.test import RequestFactory

from accounts.models import Domain, Team
from accounts.saving import stamps


def name_of(team: Team) -> str:
    return team.name


@pytest.fixture
def team(domain: Domain) -> Team:
    return Team.objects.create(domain=domain, name="Day")


def test_a_stamp_cannot_be_guessed_from_values(settings: Any) -> None:
    was = stamps.of(["a secret"])
    settings.SECRET_KEY = "another key"

    assert re.fullmatch(r"[0-9a-f]{16}", was)
    assert stamps.of(["a secret"]) != was


def test_the_row_is_the_one_that_is_stored_now(team: Team, rf: RequestFactory) -> None:
    Team.objects.filter(pk=team.pk).update(name="Night")

    with stamps.saving(rf.post("/", {"stamp": stamps.of("Night")}), team, name_of) as stored:
        assert stored.name == "Night"


def test_another_value_is_refused_with_the_stamp_of_now(team: Team, rf: RequestFactory) -> None:
    with pytest.raises(stamps.Changed) as refusal, stamps.saving(rf.post("/", {"stamp": "old"}), team, name_of):
        pytest.fail("saved")

    assert refusal.value.stamp == stamps.of("Day")


def test_what_is_gone_does_not_come_back(team: Team, rf: RequestFactory) -> None:
    Team.objects.filter(pk=team.pk).delete()

    with pytest.raises(Http404), stamps.saving(rf.post("/"), team, name_of) as stored:
        stored.save()

    assert not Team.objects.exists()
