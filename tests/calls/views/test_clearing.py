"""The page of the calls: what hangs stands there with a button for supervisors."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts import people
from accounts.models import Domain
from tests.boards.conftest import SignIn
from wallboard.calls.models import Leg


@pytest.fixture
def stuck(domain: Domain) -> Leg:
    began = timezone.now() - timedelta(minutes=30)
    return Leg.objects.create(
        domain=domain, from_call_id="c1", to_call_id="l1", from_number="+4930901820", from_name="Hanna",
        to_user="101", to_name="Ana", from_state="active", to_state="active", first_seen_at=began, active_at=began,
        heard_at=began,
    )  # fmt: skip


def test_a_supervisor_clears_a_call_that_hangs(stuck: Leg, sign_in: SignIn, redis_url: str) -> None:
    supervisor = sign_in("supervisor")
    assert "Clear the call from Hanna" in supervisor.get("/calls/").content.decode()

    answer = supervisor.post(f"/calls/{stuck.pk}/clear/", follow=True).content.decode()

    assert "The call is cleared" in answer
    assert "Without news" not in answer
    assert Leg.objects.get().ended_at is not None
    assert "nothing to clear" in supervisor.post(f"/calls/{stuck.pk}/clear/", follow=True).content.decode()


def test_agents_clear_nothing(stuck: Leg, sign_in: SignIn) -> None:
    assert sign_in("agent").post(f"/calls/{stuck.pk}/clear/").status_code == 403
    assert Leg.objects.get().ended_at is None


def test_a_call_with_news_has_no_button(stuck: Leg, sign_in: SignIn) -> None:
    Leg.objects.update(heard_at=timezone.now())

    assert "Without news" not in sign_in("supervisor").get("/calls/").content.decode()


def test_colleagues_without_names_and_numbers_are_called_by_their_extensions(stuck: Leg, sign_in: SignIn) -> None:
    for extension in ("177", "178"):
        people.get_or_create(stuck.domain, extension, "")
    Leg.objects.update(from_user="177", from_number="", from_name="", to_user="178", to_name="")
    supervisor = sign_in("supervisor")

    page = supervisor.get("/calls/").content.decode()
    sheet = supervisor.get("/calls/?as=csv").getvalue().decode()

    assert ">withheld<" not in page
    assert "withheld" not in sheet
    assert (page.count(">177<"), page.count(">178")) == (2, 2)
    assert ",177," in sheet
