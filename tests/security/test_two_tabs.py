"""One form open in two tabs, or at two people's: nobody loses unseen what another one saved (accounts/saving)."""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from django.test import Client

from tests.security.company import Company
from wallboard.contacts.models import Contact
from wallboard.outgoing.models import Endpoint

CHANGED = "Somebody else changed this meanwhile"


class Form(NamedTuple):
    """Where a page is and where its form goes; what two tabs send, and what of it the page shows when it is opened."""

    page: str
    address: str
    mine: dict[str, Any]
    theirs: dict[str, Any]
    shown: tuple[str, str]
    place: int = 0  # of the stamp on the page


def contact(ours: Company) -> Form:
    path = f"/desk/contacts/{Contact.objects.get(name='alfa contact').pk}/"
    whole = {"name": "alfa contact", "numbers": "030 90183037", "company": "", "email": ""}
    mine, theirs = whole | {"company": "First Ltd"}, whole | {"email": "second@example.com"}
    return Form(path, path, mine, theirs, ('value="First Ltd"', 'value="second@example.com"'))


def team(ours: Company) -> Form:
    path = f"/teams/{ours.team.pk}/"
    mine, theirs = ({"name": "alfa team", "people": [extension]} for extension in ("101", "102"))
    return Form(
        path, path, mine, theirs, ('value="101" id="id_people_0" checked', 'value="102" id="id_people_1" checked')
    )


def limit(ours: Company) -> Form:
    path = f"/people/{ours.people['supervisor'].pk}/limit/"
    mine, theirs = {"every_queue": "", "queues": ["800"]}, {"every_queue": "1", "team": ours.team.pk}
    return Form(path, path, mine, theirs, ('value="800" id="id_queues_0" checked', f'value="{ours.team.pk}" selected'))


def person(ours: Company) -> Form:
    them = ours.people["agent"]
    mine, theirs = {"name": them.name, "role": "supervisor"}, {"name": "Called otherwise", "role": "agent"}
    shown = ('value="supervisor" selected', 'value="Called otherwise"')
    return Form("/accounts/people/?q=101", f"/accounts/people/{them.pk}/", mine, theirs, shown)


def outcomes(ours: Company) -> Form:
    path = "/desk/offers/"
    return Form(path, path, {"outcomes": "Solved"}, {"outcomes": "Called back"}, (">Solved<", ">Called back<"))


def links(ours: Company) -> Form:
    path = "/desk/offers/"
    mine, theirs = {"hosts": "first.example.com"}, {"hosts": "second.example.com"}
    return Form(path, path, mine, theirs, (">first.example.com<", ">second.example.com<"), place=1)


def rules(ours: Company) -> Form:
    mine, theirs = {"all-stays_seconds": "77"}, {f"q{ours.queue.pk}-stays_seconds": "88"}
    return Form("/alerts/", "/alerts/rules/", mine, theirs, ('value="77"', 'value="88"'))


def kinds(ours: Company) -> Form:
    mine, theirs = {"status-stays_seconds": "77"}, {"status-stays_seconds": "88"}
    return Form("/alerts/", "/alerts/kinds/", mine, theirs, ('value="77"', 'value="88"'), place=1)


def webhook(ours: Company) -> Form:
    path = f"/setup/webhooks/{Endpoint.objects.get(domain=ours.domain).pk}/"
    whole = {"name": "alfa hearer", "kinds": ["day.ended"], "every_queue": "1"}
    mine, theirs = whole | {"name": "First name"}, whole | {"name": "Second name"}
    return Form(path, path, mine, theirs, ('value="First name"', 'value="Second name"'))


def retention(ours: Company) -> Form:
    mine, theirs = {"calls": "77"}, {"notes": "88"}
    return Form("/setup/privacy/", "/setup/privacy/", mine, theirs, ('value="77"', 'value="88"'))


def look(ours: Company) -> Form:
    path = "/brand/"
    mine, theirs = {"colour": "#0a6e77", "language": "en"}, {"colour": "#0a6e5c", "language": "fr", "direction": "rtl"}
    return Form(path, path, mine, theirs, ('value="#0a6e77"', 'value="rtl" selected'))


def region(ours: Company) -> Form:
    mine, theirs = {"time_zone": "Europe/Vienna", "country": "AT"}, {"time_zone": "Europe/Zurich", "country": "CH"}
    return Form("/setup/", "/setup/", mine, theirs, ('value="AT" selected', 'value="CH" selected'))


Made = Callable[[Company], Form]
EVERY = pytest.mark.parametrize(
    "made", [contact, team, limit, person, outcomes, links, rules, kinds, webhook, retention, look, region]
)


def stamp_in(answer: Any, place: int = 0) -> str:
    found: list[str] = re.findall(r'name="stamp" value="(\w+)"', answer.content.decode())
    return found[place]


def page_of(client: Client, form: Form) -> str:
    return client.get(form.page).content.decode()


@EVERY
def test_what_another_one_saved_is_not_replaced_unseen(made: Made, ours: Company) -> None:
    form, one, other = made(ours), ours.browser("administrator"), ours.browser("administrator")
    first, second = (stamp_in(each.get(form.page), form.place) for each in (one, other))

    assert one.post(form.address, form.mine | {"stamp": first}).status_code == 302
    refused = other.post(form.address, form.theirs | {"stamp": second})

    assert refused.status_code == 409
    assert CHANGED in refused.content.decode()
    assert form.shown[1] in refused.content.decode()  # what was written is still there
    assert form.shown[0] in page_of(one, form)
    assert form.shown[1] not in page_of(one, form)


@EVERY
def test_a_second_save_goes_through(made: Made, ours: Company) -> None:
    form, client = made(ours), ours.browser("administrator")
    old = stamp_in(client.get(form.page), form.place)
    client.post(form.address, form.mine | {"stamp": old})
    refused = client.post(form.address, form.theirs | {"stamp": old})

    saved = client.post(form.address, form.theirs | {"stamp": stamp_in(refused, form.place)})

    assert saved.status_code == 302
    assert form.shown[1] in page_of(client, form)
    assert CHANGED not in page_of(client, form)


@EVERY
def test_a_page_from_before_there_were_stamps_is_still_taken(made: Made, ours: Company) -> None:
    form, client = made(ours), ours.browser("administrator")
    client.post(form.address, form.mine)

    assert client.post(form.address, form.theirs).status_code == 302
    assert form.shown[1] in page_of(client, form)


@pytest.mark.parametrize(
    ("made", "wrong"),
    [
        (contact, {"numbers": ""}),
        (team, {"name": ""}),
        (outcomes, {"outcomes": "x" * 41}),
        (links, {"hosts": "no host"}),
        (rules, {"preview": "1"}),
        (kinds, {"preview": "1"}),
        (retention, {"calls": "0"}),
        (look, {"colour": "teal"}),
        (region, {"country": "QQ"}),
        (webhook, {"kinds": []}),
    ],
)
def test_a_mistake_or_a_preview_in_between_hides_no_change(made: Made, wrong: dict[str, Any], ours: Company) -> None:
    form, client = made(ours), ours.browser("administrator")
    old = stamp_in(client.get(form.page), form.place)
    client.post(form.address, form.mine | {"stamp": old})
    corrected = client.post(form.address, form.theirs | wrong | {"stamp": old})

    answer = client.post(form.address, form.theirs | {"stamp": stamp_in(corrected, form.place)})

    assert 409 in (corrected.status_code, answer.status_code)


def test_a_picture_that_was_chosen_stays_chosen(ours: Company) -> None:
    client = ours.browser("administrator")
    old = stamp_in(client.get("/brand/"))
    client.post("/brand/", {"colour": "#0a6e77", "stamp": old})

    refused = client.post("/brand/", {"colour": "#0a6e5c", "logo": ours.image.pk, "stamp": old})

    assert f'<option value="{ours.image.pk}" selected>' in refused.content.decode()
