"""What a message says, in the language of whoever gets it."""

from typing import Any

import pytest
from django.utils import timezone

from accounts.models import Domain, User
from tests.alerts.conftest import Read
from tests.notifications.conftest import MakeRoute
from wallboard.notifications import destinations
from wallboard.notifications.deciding import planning
from wallboard.notifications.models import Channel, Delivery, Destination
from wallboard.queues.models import Queue

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_once")]


def test_each_receiver_is_written_to_in_their_own_language_and_the_company_in_its_own(
    read: Read, make_route: MakeRoute, domain: Domain, support: Queue, ana_mail: Destination, settings: Any
) -> None:
    settings.LANGUAGES = [("en", "English"), ("de", "Deutsch"), ("ar", "العربية")]
    shared = destinations.add(domain, Channel.EMAIL, "floor@example.com", "floor@example.com")
    assert ana_mail.person is not None
    make_route((ana_mail.person, shared))
    User.objects.filter(person=ana_mail.person).update(language="ar")
    Domain.objects.update(language="de")

    read(q501="late")
    planning.run_all(timezone.now())

    languages = {each.destination_id: each.content["language"] for each in Delivery.objects.all()}
    assert languages == {ana_mail.pk: "ar", shared.pk: "de"}
