"""A kept configuration can be taken again, whatever was chosen since."""

import msgspec
import pytest

from accounts import limits, people
from accounts.models import AuditEntry, Domain, Person
from tests.boards.conftest import domain as domain
from wallboard.configuration import document, exporting, importing
from wallboard.notifications import routes
from wallboard.notifications.models import Route
from wallboard.queues.models import Queue
from wallboard.reports.models import ServiceRule
from wallboard.reports.service import rules as service
from wallboard.reports.service.rules import OwnSeconds
from wallboard.reports.service_level import Rule

pytestmark = pytest.mark.django_db
NOT_CHOSEN = {"formula": "", "target_seconds": None, "short_seconds": None, "is_open_only": False}


@pytest.fixture
def other() -> Domain:
    return Domain.objects.create(slug="other", name="Other")


def read(**sections: object) -> document.Configuration:
    return document.read(msgspec.json.encode({"version": 1, **sections}))


def test_what_was_kept_before_a_formula_was_chosen_takes_the_choice_back(domain: Domain) -> None:
    Queue.objects.create(domain=domain, number="800")
    service.save(domain, None, {"800": OwnSeconds(15)})
    kept = exporting.export(domain)
    service.save(domain, Rule("B", 30, 5, False), {})

    found = importing.take(domain, kept)

    assert exporting.export(domain) == kept
    assert "$.service_level.formula" in [each.path for each in found]
    assert service.rules(domain.pk).of("800") == Rule("A", 15)
    changes = AuditEntry.objects.filter(what="service level changed").latest("pk").changes
    assert changes["formula"] == ["B", ""]
    assert importing.take(domain, kept) == []


def test_a_queue_that_was_removed_since_may_stay_where_it_stood(domain: Domain) -> None:
    limits.set_limit(people.get_or_create(domain, "301"), ["800"], None)
    routes.save(domain, {"name": "Floor", "queues": ["800"]}, [])
    wanted = read(
        limits=[{"extension": "301", "queues": ["800", "801"]}],
        routes=[{"name": "Floor", "queues": ["800"], "level": "watch"}],
        queues=[{"number": "801"}],  # added by the same document
    )

    importing.take(domain, wanted)

    assert Person.objects.get(extension="301").only_queues == ["800", "801"]
    assert Route.objects.get().queues == ["800"]


def test_another_company_takes_what_names_removed_queues_and_odd_extensions(domain: Domain, other: Domain) -> None:
    Queue.objects.create(domain=domain, number="801")
    odd = people.get_or_create(domain, "sip:301@x")
    limits.set_limit(odd, ["800"], None)
    limits.save_team(domain, "Day", [odd.extension])
    routes.save(domain, {"name": "Floor", "queues": ["800", "801"]}, [])

    importing.take(other, exporting.export(domain))

    taken = exporting.export(other)
    assert [(each.name, each.people) for each in taken.teams or []] == [("Day", ["sip:301@x"])]
    assert [(each.extension, each.queues) for each in taken.limits or []] == [("sip:301@x", [])]
    assert [each.queues for each in taken.routes or []] == [["801"]]


def test_own_seconds_of_a_queue_choose_no_formula_for_the_others(domain: Domain) -> None:
    Queue.objects.create(domain=domain, number="800")
    wanted = read(service_level=NOT_CHOSEN, queues=[{"number": "800", "service_level": {"target_seconds": 15}}])

    importing.take(domain, wanted)

    assert ServiceRule.objects.get(domain=domain).queue is not None
    assert exporting.export(domain).service_level == wanted.service_level
    assert importing.take(domain, wanted) == []


def test_seconds_without_a_formula_are_of_the_usual_one(domain: Domain) -> None:
    importing.take(domain, read(service_level=NOT_CHOSEN | {"target_seconds": 30}))

    assert service.rules(domain.pk).default == Rule("A", 30)
