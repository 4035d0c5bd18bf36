"""The sound of alerts is one setting of a person, and the badge is for whoever has a page of alerts."""

import pytest
from django.test import Client

from accounts.models import Person, User
from wallboard.alerts.models import Listener


def signed_in(person: Person) -> Client:
    if person.user is None:
        person.user = User.objects.create(username=person.extension)
        person.save()
    client = Client()
    client.force_login(person.user)
    return client


def switch(client: Client, body: str) -> int:
    return client.post("/alerts/sound/", body, content_type="application/json").status_code


def test_it_is_switched_for_every_page_of_one_person(ana: Person) -> None:
    ben = Person.objects.create(domain=ana.domain, extension="102", role="supervisor")

    assert switch(signed_in(ana), '{"on": true}') == 204
    assert switch(signed_in(ana), '{"on": true}') == 204

    assert '"sound": true' in signed_in(ana).get("/reports/").content.decode()
    assert '"sound": false' in signed_in(ben).get("/reports/").content.decode()
    assert switch(signed_in(ana), '{"on": false}') == 204
    assert '"sound": false' in signed_in(ana).get("/reports/").content.decode()


@pytest.mark.parametrize("body", ["", "{}", '{"on": "yes"}', "[1]", "\xff"])
def test_nonsense_switches_nothing(ana: Person, body: str) -> None:
    assert switch(signed_in(ana), body) == 400
    assert not Listener.objects.exists()


@pytest.mark.parametrize(("role", "has_badge"), [("agent", False), ("supervisor", True), ("administrator", True)])
@pytest.mark.parametrize("path", ["/desk/", "/people/", "/accounts/"])
def test_every_page_has_the_badge_for_whoever_has_a_page_of_alerts(
    ana: Person, role: str, has_badge: bool, path: str
) -> None:
    ana.role = role
    ana.save()

    assert ('id="alert-badge"' in signed_in(ana).get(path).content.decode()) is has_badge
