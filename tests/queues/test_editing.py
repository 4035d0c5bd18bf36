"""What people set for queues reaches the boards, once it is committed; the admin site goes the same way."""

from typing import Any

import msgspec
import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from accounts.models import Domain
from tests.queues.conftest import FeedNow
from wallboard.queues import documents, editing
from wallboard.queues.models import PollState, Queue, Target

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def queue(domain: Domain) -> Any:
    return Queue.objects.create(domain=domain, number="8001")


def test_rename_is_kept_and_told(domain: Domain, queue: Queue, feed: FeedNow) -> None:
    editing.edit(queue, name="Sales")

    assert Queue.objects.get().name == "Sales"
    assert feed() == {"about:8001": (2, msgspec.to_builtins(documents.about(domain.pk)["about:8001"][1]))}
    assert feed()["about:8001"][1]["name"] == "Sales"


def test_a_queue_without_a_name_shows_its_number(domain: Domain, queue: Queue) -> None:
    assert documents.about(domain.pk)["about:8001"][1].name == "8001"


def test_a_hidden_queue_is_a_removal_until_it_is_shown_again(domain: Domain, queue: Queue, feed: FeedNow) -> None:
    editing.edit(queue, name="Sales")
    editing.edit(queue, is_hidden=True)
    assert documents.about(domain.pk) == {"about:8001": (3, None)}
    assert feed() == {}

    editing.edit(queue, is_hidden=False)
    assert feed()["about:8001"][1]["name"] == "Sales"


def test_the_domains_default_is_told_for_every_queue(domain: Domain, queue: Queue, feed: FeedNow) -> None:
    Queue.objects.create(domain=domain, number="8002")

    editing.set_targets(domain, None, {"longest_wait_watch_seconds": 30})

    assert {key: value["targets"]["longest_wait"] for key, (_, value) in feed().items()} == {
        "about:8001": [30, None],
        "about:8002": [30, None],
    }
    assert feed() == msgspec.to_builtins(documents.about(domain.pk))


def test_dropped_targets_are_inherited_again(domain: Domain, queue: Queue, feed: FeedNow) -> None:
    editing.set_targets(domain, None, {"waiting_late": 5})
    own = editing.set_targets(domain, queue, {"waiting_late": 9})
    assert feed()["about:8001"][1]["targets"]["waiting"] == [None, 9]

    editing.drop_targets(own)
    assert feed()["about:8001"][1]["targets"]["waiting"] == [None, 5]


def test_an_edit_is_kept_while_redis_is_away(domain: Domain, queue: Queue, settings: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"

    editing.edit(queue, name="Sales")

    assert Queue.objects.get().name == "Sales"


def test_admin_edits_the_list_and_boards_hear_of_it(
    domain: Domain, queue: Queue, superuser: Client, feed: FeedNow
) -> None:
    form = {
        "form-TOTAL_FORMS": 1, "form-INITIAL_FORMS": 1, "form-0-id": queue.pk,
        "form-0-name": "Sales", "form-0-order": 7, "form-0-is_hidden": "",
    }  # fmt: skip
    answer = superuser.post("/admin/queues/queue/", {**form, "_save": "Save"})

    assert answer.status_code == 302
    assert feed()["about:8001"][0] == 2
    assert (feed()["about:8001"][1]["name"], feed()["about:8001"][1]["order"]) == ("Sales", 7)


def test_admin_sets_and_removes_targets(domain: Domain, queue: Queue, superuser: Client, feed: FeedNow) -> None:
    form = {"domain": domain.pk, "queue": queue.pk, "longest_wait_watch_seconds": 10, "longest_wait_late_seconds": 20}
    assert superuser.post("/admin/queues/target/add/", form).status_code == 302
    target = Target.objects.get()
    assert feed()["about:8001"][1]["targets"]["longest_wait"] == [10, 20]

    form = {"longest_wait_watch_seconds": 15, "longest_wait_late_seconds": 20}
    assert superuser.post(f"/admin/queues/target/{target.pk}/change/", form).status_code == 302
    assert Target.objects.get().longest_wait_watch_seconds == 15
    assert feed()["about:8001"][1]["targets"]["longest_wait"] == [15, 20]

    assert superuser.post(f"/admin/queues/target/{target.pk}/delete/", {"post": "yes"}).status_code == 302
    assert not Target.objects.exists()
    assert feed()["about:8001"][1]["targets"]["longest_wait"] == [None, None]


def test_admin_refuses_a_second_default(domain: Domain, superuser: Client) -> None:
    editing.set_targets(domain, None, {"waiting_late": 5})

    answer = superuser.post("/admin/queues/target/add/", {"domain": domain.pk, "waiting_late": 9})

    assert answer.status_code == 200
    assert Target.objects.get().waiting_late == 5


@pytest.mark.parametrize("page", ["queue/", "target/", "target/add/", "pollstate/"])
def test_admin_pages_open(domain: Domain, queue: Queue, superuser: Client, page: Any) -> None:
    PollState.objects.create(domain=domain)

    assert superuser.get(f"/admin/queues/{page}").status_code == 200


def test_polling_can_only_be_looked_at(domain: Domain, queue: Queue, superuser: Client) -> None:
    state = PollState.objects.create(domain=domain)

    assert superuser.get(f"/admin/queues/pollstate/{state.pk}/change/").status_code == 200
    assert superuser.post(f"/admin/queues/pollstate/{state.pk}/change/", {"failure": "x"}).status_code == 403
    assert superuser.get("/admin/queues/queue/add/").status_code == 403


@pytest.mark.parametrize(
    "bounds",
    [
        {"longest_wait_watch_seconds": 120, "longest_wait_late_seconds": 60},
        {"waiting_watch": 5, "waiting_late": 4},
        {"available_watch_below": 1, "available_late_below": 2},
    ],
)
def test_late_before_watch_makes_no_sense(domain: Domain, bounds: Any) -> None:
    with pytest.raises(ValidationError):
        Target(domain=domain, **bounds).full_clean()


def test_a_queue_of_another_domain_is_refused(domain: Domain, queue: Queue) -> None:
    other = Domain.objects.create(
        slug="other", name="Other", base_url="http://o.test", client_id="i", client_secret="s"
    )
    with pytest.raises(ValidationError):
        Target(domain=other, queue=queue, waiting_late=1).full_clean()
