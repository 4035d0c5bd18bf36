"""Routes that are changed while alerts are open that went out by them."""

from datetime import timedelta
from importlib import import_module

import pytest
import time_machine
from django.apps import apps
from django.db import connection

from accounts.models import Domain, Person
from tests.alerts.conftest import Read
from tests.harness.mail import MailServer
from tests.notifications.conftest import MakeRoute, Work
from wallboard.notifications import choices, routes
from wallboard.notifications.models import Delivery, Destination, Notice, Route
from wallboard.queues.models import Queue

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_once", "ana_mail")]
LATE, RESOLVED = "Late: Support", "Resolved: Late: Support"


def subjects(server: MailServer) -> list[str]:
    return [str(each.letter["Subject"]) for each in server.taken]


def rename(route: Route, name: str) -> None:
    route.name = name
    route.save()


def test_a_route_that_tells_no_end_tells_none_under_another_name_either(
    read: Read, work: Work, make_route: MakeRoute, support: Queue, ana: Person, mail_server: MailServer
) -> None:
    route = make_route((ana,), name="Night", tells_resolved=False)
    read(q501="late")
    work()
    rename(route, "Night shift")
    read(61, q501="normal")
    work()

    assert subjects(mail_server) == [LATE]


@pytest.mark.parametrize("is_removed", [False, True])
def test_the_name_that_another_route_has_now_does_not_matter(
    read: Read,
    work: Work,
    make_route: MakeRoute,
    support: Queue,
    ana: Person,
    mail_server: MailServer,
    is_removed: bool,
) -> None:
    route = make_route((ana,), queues=["501"], name="Night")
    other = make_route((ana,), queues=["502"], name="Day", tells_resolved=False)
    read(q501="late")
    work()
    if is_removed:
        routes.remove(route)
    rename(other, "Night")
    read(61, q501="normal")
    work()

    assert subjects(mail_server) == [LATE, RESOLVED]
    assert {each.route_name for each in Notice.objects.all()} == {"Night"}


@pytest.mark.parametrize("is_meant_otherwise", [False, True])
def test_what_waits_is_not_sent_when_its_route_is_switched_off(
    told: MailServer,
    read: Read,
    work: Work,
    make_route: MakeRoute,
    sales: Queue,
    ana: Person,
    clock: time_machine.Traveller,
    is_meant_otherwise: bool,
) -> None:
    route = Route.objects.get()
    if is_meant_otherwise:
        choices.save(ana, is_subscribed=True)
    read(q501="late", q502="late")
    work()
    route.is_enabled = False
    route.save()
    clock.shift(timedelta(minutes=2))
    work()

    assert subjects(told) == [LATE, *(["Late: Sales"] if is_meant_otherwise else [])]
    waited = Notice.objects.get(alert__queue=sales)
    assert waited.held_back == ("" if is_meant_otherwise else "disabled")


def test_nor_is_what_did_not_go_out_at_once(
    told: MailServer, read: Read, work: Work, sales: Queue, clock: time_machine.Traveller
) -> None:
    told.refuses["ana@example.com"] = "450 4.3.0 try later"
    read(61, q501="late", q502="late")
    work()
    told.refuses.clear()
    Route.objects.update(is_enabled=False)
    clock.shift(timedelta(minutes=2))
    work()

    last = Delivery.objects.latest("pk")
    assert subjects(told) == [LATE]
    assert (last.state, last.outcome) == ("dropped", "switched off")


def test_notices_of_before_find_their_route_where_its_name_is_its_own(
    told: MailServer, domain: Domain, ana_mail: Destination, make_route: MakeRoute
) -> None:
    route, notice = Route.objects.get(), Notice.objects.get()
    migration = import_module("wallboard.notifications.migrations.0007_routes_of_old_notices")
    found = []
    for _ in range(2):
        Notice.objects.update(route=None)
        migration.find_routes(apps, connection.schema_editor())
        notice.refresh_from_db()
        found.append(notice.route)
        make_route((), name=route.name)

    assert found == [route, None]
