"""What people chose stays chosen: when they save it again, and when what they ticked is no longer shown."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client

from accounts import people
from accounts.models import Person
from tests.alerts.conftest import Read
from tests.harness.mail import MailServer
from tests.notifications.conftest import MakeRoute, Work
from wallboard.notifications import choices
from wallboard.notifications.models import Destination, Notice, Route
from wallboard.queues.models import Queue

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_once")]


def ticked(page: Any) -> dict[str, Any]:
    """The form as a browser would send it back untouched."""
    form = page.context["form"]
    return {name: value for name in form.fields if (value := form[name].value()) not in (None, False, "")}


def test_what_waits_for_a_person_still_comes_after_they_saved_their_choice_again(
    read: Read,
    work: Work,
    support: Queue,
    ana: Person,
    ana_mail: Destination,
    mail_server: MailServer,
    clock: time_machine.Traveller,
) -> None:
    choices.save(ana, is_subscribed=True, after_seconds=300)
    read(q501="late")
    work()

    choices.save(ana, is_subscribed=True, after_seconds=120)
    clock.shift(timedelta(seconds=121))
    work()
    choices.save(ana, is_subscribed=True, after_seconds=60)
    clock.shift(timedelta(minutes=10))
    work()

    assert [str(each.letter["Subject"]) for each in mail_server.taken] == ["Late: Support"]


def test_a_choice_saved_again_is_not_wider_when_its_queue_is_hidden(
    as_ana: Client, ana: Person, support: Queue, sales: Queue
) -> None:
    choices.save(ana, is_subscribed=True, queues=["501"], kinds=["level"])
    Queue.objects.filter(pk=support.pk).update(is_hidden=True)

    as_ana.post("/notifications/choice/", ticked(as_ana.get("/notifications/")))

    assert choices.of(ana).queues == ["501"]


def test_a_route_saved_again_keeps_a_renamed_group_and_people_who_are_not_shown(
    as_admin: Client, ana: Person, sales: Queue, make_route: MakeRoute
) -> None:
    route = make_route((ana,), groups=["Floor 2"])
    people.hide(ana, True)
    url = f"/setup/notifications/routes/{route.pk}/"

    answer = as_admin.post(url, ticked(as_admin.get(url)))

    stored = Route.objects.get()
    assert (answer.status_code, stored.groups, stored.queues) == (302, ["Floor 2"], None)
    assert [each.people.get() for each in stored.steps.all()] == [ana]


def test_what_is_held_back_again_and_again_stands_in_the_history_once(
    read: Read, work: Work, make_route: MakeRoute, support: Queue, ana: Person, ana_mail: Destination, clock: Any
) -> None:
    make_route((ana,), repeat_seconds=60)
    choices.save(ana, kinds=["nobody"])
    read(q501="late")
    for _ in range(4):
        clock.shift(timedelta(seconds=61))
        work()
    assert [each.held_back for each in Notice.objects.all()] == ["choice"]

    choices.save(ana, kinds=None, level="late")
    ana_mail.delete()
    for _ in range(4):
        clock.shift(timedelta(seconds=61))
        work()
    assert Notice.objects.filter(held_back="nowhere").count() <= 1
