"""The pages: one's own choice, routes of administrators, mutes, and the link of a message."""

import re
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from accounts import limits
from accounts.models import Domain, Person, User
from tests.alerts.conftest import Read
from tests.harness.mail import MailServer
from tests.notifications.conftest import MakeRoute, Work
from wallboard.alerts.models import Alert
from wallboard.notifications import choices, confirming, destinations
from wallboard.notifications.models import Channel, Delivery, Destination, Mute, Route
from wallboard.notifications.models import MailServer as MailServerRow
from wallboard.queues.models import Queue

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_once")]


def link_of(server: MailServer) -> str:
    found = re.search(r"http\S+/notifications/acknowledge/\S+", server.taken[-1].text)
    assert found
    return found[0]


def test_opening_the_link_changes_nothing_and_its_button_acknowledges_without_a_sign_in(told: MailServer) -> None:
    visitor, link = Client(), link_of(told)

    page = visitor.get(link)
    untouched = Alert.objects.get().acknowledged_at
    visitor.post(link, {"alert": Alert.objects.get().pk})

    assert "Do you take this on?" in page.content.decode()
    assert (untouched, Alert.objects.get().acknowledged_name) == (None, "Ana")
    assert "acknowledged by Ana" in visitor.get(link).content.decode()


def test_a_link_ends_with_its_alert(told: MailServer, read: Read) -> None:
    link, visitor = link_of(told), Client()
    read(q501="normal")

    page = visitor.post(link, {"alert": Alert.objects.get().pk}, follow=True).content.decode()

    assert "Nothing left to acknowledge" in page
    assert Alert.objects.get().acknowledged_at is None


def test_links_open_nothing_at_the_host_of_another_company(told: MailServer) -> None:
    """Else its people would read of another company's alerts and addresses under their own name."""
    Domain.objects.create(
        slug="b", name="B", host="b.testserver", base_url="http://p.test", client_id="i", client_secret="s"
    )
    sent = [link_of(told), confirming.confirm_url(Destination.objects.get())]

    found = {
        host: [Client(headers={"host": host}).get(link).status_code for link in sent]
        for host in ("testserver", "b.testserver")
    }

    assert found == {"testserver": [200, 200], "b.testserver": [404, 404]}


def test_a_link_that_was_changed_or_is_of_another_company_opens_nothing(told: MailServer) -> None:
    link = link_of(told)
    other = Domain.objects.create(slug="b", name="B", base_url="http://p.test", client_id="i", client_secret="s")
    stranger = User.objects.create(username="zoe")
    Person.objects.create(domain=other, extension="1", role="administrator", user=stranger)
    client = Client()
    client.force_login(stranger)

    assert Client().get(link.replace("acknowledge/", "acknowledge/0")).status_code == 404
    assert client.get(link).status_code == 404


def test_what_came_over_a_shared_channel_needs_a_sign_in(
    read: Read,
    work: Work,
    make_route: MakeRoute,
    support: Queue,
    domain: Domain,
    mail_server: MailServer,
    as_ana: Client,
) -> None:
    make_route((destinations.add(domain, Channel.EMAIL, "floor", "floor@example.com"),))
    read(q501="late")
    work()
    link = link_of(mail_server)

    answer = Client().post(link, {"alert": Alert.objects.get().pk})
    as_ana.post(link, {"alert": Alert.objects.get().pk})

    assert answer["Location"].startswith("/accounts/login/")
    assert Alert.objects.get().acknowledged_name == "Ana"


def test_who_lost_sight_of_a_queue_does_not_see_it_behind_the_link(told: MailServer, ana: Person) -> None:
    limits.set_limit(ana, ["999"], None)

    page = Client().post(link_of(told), {"alert": Alert.objects.get().pk}, follow=True).content.decode()

    assert "Support" not in page
    assert Alert.objects.get().acknowledged_at is None


def test_an_address_is_added_tried_and_removed(as_ana: Client, ana: Person, mail_server: MailServer) -> None:
    page = as_ana.post("/notifications/mail/", {"address": "ana@example.com"}, follow=True).content.decode()
    destination = Destination.objects.get()
    as_ana.post(f"/notifications/{destination.pk}/", {"do": "off"})
    off = Destination.objects.get().is_enabled
    as_ana.post(f"/notifications/{destination.pk}/", {"do": "remove"})

    assert "250 2.0.0 queued as 1" in page
    assert "ana@example.com" not in str(destination.address)
    assert (mail_server.taken[0].to, off, Destination.objects.count()) == (["ana@example.com"], False, 0)


def test_a_test_that_fails_shows_the_servers_words(
    as_ana: Client, ana_mail: Destination, mail_server: MailServer
) -> None:
    mail_server.refuses["ana@example.com"] = "550 5.7.1 relaying denied"

    page = as_ana.post(f"/notifications/{ana_mail.pk}/", {"do": "test"}, follow=True).content.decode()

    assert "550 5.7.1 relaying denied" in page


def test_nobody_changes_the_destination_of_another(as_admin: Client, ana_mail: Destination) -> None:
    assert as_admin.post(f"/notifications/{ana_mail.pk}/", {"do": "remove"}).status_code == 404
    assert Destination.objects.exists()


def test_a_choice_is_stored_and_shown(as_ana: Client, ana: Person, support: Queue, sales: Queue) -> None:
    values = {"is_subscribed": "on", "level": "watch", "queues": ["502"], "days": ["0", "4"], "after_minutes": "2"}

    as_ana.post("/notifications/choice/", {**values, "from_time": "22:00", "until_time": "06:00"})

    choice = choices.of(ana)
    assert (choice.is_subscribed, choice.queues, choice.days, choice.after_seconds) == (True, ["502"], 0b10001, 120)
    assert 'value="22:00"' in as_ana.get("/notifications/").content.decode()


def test_half_a_span_of_time_is_refused(as_ana: Client) -> None:
    answer = as_ana.post("/notifications/choice/", {"level": "late", "from_time": "22:00"})

    assert answer.status_code == 400
    assert "Say both from and until" in answer.content.decode()


def test_a_person_is_offered_only_queues_that_they_may_see(
    as_ana: Client, ana: Person, support: Queue, sales: Queue
) -> None:
    limits.set_limit(ana, ["502"], None)

    page = as_ana.get("/notifications/").content.decode()

    assert "Sales" in page
    assert "Support" not in page


def test_an_administrator_makes_a_route_and_tests_it(
    as_admin: Client, ana: Person, ana_mail: Destination, support: Queue, work: Work, mail_server: MailServer
) -> None:
    values: dict[str, Any] = {"name": "Floor", "is_enabled": "on", "level": "late", "first_people": [ana.pk]}

    as_admin.post("/setup/notifications/routes/new/", {**values, "after_minutes": "1"})
    route = Route.objects.get()
    as_admin.post(f"/setup/notifications/routes/{route.pk}/change/", {"do": "test"})
    work()
    page = as_admin.get("/setup/notifications/").content.decode()

    assert [each.after_seconds for each in route.steps.all()] == [60]
    assert "250 2.0.0 queued as 1" in page
    assert mail_server.taken[0].letter["Subject"] == "Test message from the wallboard of Main"


def test_a_route_to_nobody_and_an_escalation_without_a_time_are_refused(as_admin: Client, ana: Person) -> None:
    values: dict[str, Any] = {"name": "Floor", "level": "late"}

    nobody = as_admin.post("/setup/notifications/routes/new/", values)
    at_once = {**values, "first_people": [ana.pk], "next_people": [ana.pk]}
    hasty = as_admin.post("/setup/notifications/routes/new/", at_once)

    assert "Choose somebody, a team or a destination." in nobody.content.decode()
    assert "Say after how many minutes." in hasty.content.decode()
    assert not Route.objects.exists()


def test_the_password_of_a_mail_server_is_sealed_and_not_sent_to_another_host(as_admin: Client) -> None:
    values = {"host": "mail.example.com", "port": 587, "security": "starttls", "sender": "wall@example.com"}

    as_admin.post("/setup/notifications/server/", {**values, "username": "wall", "password": "hunter22"})
    stored = MailServerRow.objects.get()
    as_admin.post("/setup/notifications/server/", {**values, "username": "wall", "host": "evil.example.com"})

    assert (stored.password.open(), "hunter22" in str(stored.password)) == ("hunter22", False)
    assert "hunter22" not in as_admin.get("/setup/notifications/").content.decode()
    assert MailServerRow.objects.get().password == ""


def test_the_history_says_who_was_told_over_what_and_with_what_outcome(
    told: MailServer, read: Read, work: Work, as_ana: Client
) -> None:
    read(61, q501="normal")
    work()

    page = " ".join(as_ana.get("/alerts/").content.decode().split())

    assert "2 messages" in page
    assert "<bdi>Ana</bdi>, raised, e-mail" in page
    assert "250 2.0.0 queued as 1" in page
    assert "<bdi>Ana</bdi>, resolved, e-mail" in page


def test_setup_says_what_was_given_up(as_admin: Client, ana_mail: Destination) -> None:
    quiet = as_admin.get("/setup/").content.decode()
    Delivery.objects.create(
        domain_id=ana_mail.domain_id, batch=uuid4(), channel="email", destination_name="x", content={}, state="given up"
    )

    assert "given up after an hour" not in quiet
    assert "1 messages of the last day were given up" in as_admin.get("/setup/").content.decode()


def test_a_mute_is_begun_and_ended(as_ana: Client, support: Queue) -> None:
    as_ana.post("/notifications/mute/", {"queue": "501", "reason": "new phones"})
    mute = Mute.objects.get()
    shown = as_ana.get("/alerts/").content.decode()
    as_ana.post(f"/notifications/mute/{mute.pk}/end/")

    assert "new phones" in shown
    assert (mute.queue, mute.reason, mute.by_name) == (support, "new phones", "Ana")
    assert Mute.objects.get().until < mute.until


def test_who_sees_some_queues_can_mute_only_those(as_ana: Client, ana: Person, support: Queue, sales: Queue) -> None:
    limits.set_limit(ana, ["502"], None)

    for queue in ("", "501", "502"):
        as_ana.post("/notifications/mute/", {"queue": queue, "reason": "new phones"})

    assert [each.queue for each in Mute.objects.all()] == [sales]


def test_messages_of_a_person_are_kept_from_other_companies(told: MailServer) -> None:
    assert {each.domain.slug for each in Delivery.objects.all()} == {"main"}


def test_an_older_page_of_a_route_takes_nobody_off_it(as_admin: Client, ana: Person, ana_mail: Destination) -> None:
    values: dict[str, Any] = {"name": "Floor", "level": "late", "first_destinations": [ana_mail.pk], "after_minutes": 0}
    ana_mail.person = None
    ana_mail.save()
    as_admin.post("/setup/notifications/routes/new/", values)
    route = Route.objects.get()
    address = f"/setup/notifications/routes/{route.pk}/"
    older = as_admin.get(address).context["stamp"]
    as_admin.post(address, {**values, "first_people": [ana.pk], "stamp": older})

    refused = as_admin.post(address, {**values, "name": "Night", "stamp": older})

    assert refused.status_code == 409
    assert "Somebody else changed this meanwhile" in refused.content.decode()
    assert 'value="Night"' in refused.content.decode()
    assert [ana] == list(route.steps.get().people.all())
    assert as_admin.post(address, {**values, "name": "Night", "stamp": refused.context["stamp"]}).status_code == 302
    assert Route.objects.get().name == "Night"
