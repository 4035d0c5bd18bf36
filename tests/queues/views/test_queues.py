"""The administrators' table of the queues: what is written is kept, noted and on open boards, and nothing gets lost."""

import pytest
from django.test import Client

from accounts.models import AuditEntry, Domain
from accounts.saving import tables
from tests.boards.conftest import SignIn
from wallboard.queues import documents, queue_table
from wallboard.queues.models import Queue


@pytest.fixture
def queues(domain: Domain) -> list[Queue]:
    return [Queue.objects.create(domain=domain, number=str(501 + index)) for index in range(3)]


@pytest.fixture
def client(sign_in: SignIn) -> Client:
    return sign_in("administrator")


def posted(queues: list[Queue], **written: str | None) -> dict[str, str]:
    """The table as it is, with these fields written over, None for a box that is not ticked: name_501="Sales"."""
    fields = {"stamp": queue_table.stamp(queues)}
    made_from: dict[str, str] = {}
    for place, queue in enumerate(queues, start=1):
        own = {
            "name": queue.name,
            "group": queue.group,
            "place": str(place),
            "is_shown": "" if queue.is_hidden else "on",
        }
        made_from |= {f"q{queue.pk}-{what}": text for what, text in own.items()}
        asked = {what: written.get(f"{what}_{queue.number}", text) for what, text in own.items()}
        fields |= {f"q{queue.pk}-{what}": text for what, text in asked.items() if text}
    return fields | {"made_from": tables.carried(made_from)}


def test_names_groups_places_and_what_is_shown_are_kept_noted_and_told(client: Client, queues: list[Queue]) -> None:
    written = {"name_501": " Front  desk ", "group_501": "Front", "place_503": "0.5", "is_shown_502": None}

    answer = client.post("/setup/queues/", posted(queues, **written))

    assert answer.status_code == 302
    kept = list(Queue.objects.values_list("number", "name", "group", "is_hidden"))
    assert kept == [("503", "", "", False), ("501", "Front desk", "Front", False), ("502", "", "", True)]
    told = documents.about(queues[0].domain_id)
    assert (told["about:501"][1].name, told["about:501"][0]) == ("Front desk", 2)
    assert told["about:502"][1] is None
    noted = AuditEntry.objects.filter(what="queue changed").values_list("about", flat=True)
    assert sorted(noted) == ["501", "502"]
    page = client.get("/setup/queues/").content.decode()
    assert 'value="Front desk"' in page
    assert page.index("Name of 503") < page.index("Name of 501")


def test_what_is_sent_as_it_was_changes_nothing(client: Client, queues: list[Queue]) -> None:
    client.post("/setup/queues/", posted(queues))

    assert not AuditEntry.objects.filter(what="queue changed").exists()
    assert set(Queue.objects.values_list("version", "order")) == {(1, 0)}


def test_a_table_that_is_outdated_is_not_kept_but_shown_again(client: Client, queues: list[Queue]) -> None:
    sent = posted(queues, name_501="Mine")
    Queue.objects.filter(number="502").update(name="Theirs")
    Queue.objects.filter(number="503").update(is_hidden=True)
    Queue.objects.create(domain=queues[0].domain, number="777", name="New", group="Front", order=1)

    answer = client.post("/setup/queues/", sent)

    assert answer.status_code == 409
    assert 'value="Mine"' in answer.content.decode()
    assert set(Queue.objects.values_list("name", flat=True)) == {"", "Theirs", "New"}

    again = {form.add_prefix(name): form[name].value() for form in answer.context["forms"] for name in form.fields}
    sent = {name: "on" if value is True else value for name, value in again.items() if value is not False}
    known = {name: answer.context[name] for name in ("stamp", "made_from")}
    assert client.post("/setup/queues/", sent | known).status_code == 302

    kept = list(Queue.objects.values_list("number", "name", "group", "is_hidden"))
    assert kept == [
        ("501", "Mine", "", False), ("502", "Theirs", "", False), ("503", "", "", True), ("777", "New", "Front", False),
    ]  # fmt: skip


def test_only_administrators_name_queues(sign_in: SignIn, queues: list[Queue]) -> None:
    assert sign_in("supervisor").get("/setup/queues/").status_code == 403


def test_another_companys_queues_are_not_in_it(client: Client, queues: list[Queue]) -> None:
    other = Domain.objects.create(slug="other", name="Other", base_url="http://other.test", client_id="x")
    theirs = Queue.objects.create(domain=other, number="8005550199", name="Theirs")

    client.post("/setup/queues/", {**posted(queues), f"q{theirs.pk}-name": "Taken"})

    theirs.refresh_from_db()
    assert theirs.name == "Theirs"
    assert "8005550199" not in client.get("/setup/queues/").content.decode()


@pytest.mark.parametrize("written", ["", "nan", "1e99", "first"])
def test_nonsense_for_a_place_is_marked_and_nothing_is_saved(client: Client, queues: list[Queue], written: str) -> None:
    answer = client.post("/setup/queues/", posted(queues, place_503=written, name_501="Front desk"))

    assert answer.status_code == 400
    assert 'class="errorlist"' in answer.content.decode()
    assert list(Queue.objects.values_list("number", "name")) == [("501", ""), ("502", ""), ("503", "")]
