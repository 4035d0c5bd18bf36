"""The business hours of the company and of single queues, as people write them."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from tests.queues.views.test_targets import client, sales
from wallboard.queues.hours import calendar
from wallboard.queues.models import Hours, Queue

__all__ = ["client", "sales"]


def saved(client: Client, **fields: str) -> Any:
    return client.post("/targets/hours/", {"kind": "own"} | fields)


def test_hours_are_kept_for_the_company_and_for_a_queue(client: Client, sales: Queue) -> None:
    saved(client, day0="8-12, 13-17", closed_days="2026-12-25 Christmas", counts_outside="on")
    saved(client, queue="501", day6="22:00-06:00", keeps_closed_days="on")

    company, own = Hours.objects.order_by("pk")
    assert (company.week[0], company.closed_days) == ([[480, 720], [780, 1020]], [["2026-12-25", "Christmas"]])
    assert (company.counts_outside, own.week[6], own.keeps_closed_days) == (True, [[1320, 360]], True)
    assert 'value="08:00–12:00, 13:00–17:00"' in client.get("/targets/hours/").content.decode()
    assert client.get("/targets/hours/?queue=501").context["form"]["kind"].value() == "own"
    saved(client, queue="501", kind="inherited")
    saved(client, day0="", closed_days="")
    assert not Hours.objects.exists()


def test_minutes_outside_hours_count_also_where_only_a_queue_has_hours(client: Client, sales: Queue) -> None:
    saved(client, queue="501", day0="8-17")
    saved(client, counts_outside="on")

    assert client.get("/targets/hours/").context["form"]["counts_outside"].value() is True
    assert calendar.schedule(sales.domain).counts_outside
    assert calendar.schedule(sales.domain).is_open("502", timezone.now())

    saved(client)
    assert [each.queue for each in Hours.objects.all()] == [sales]


def test_a_queue_can_be_open_always_beside_a_company_with_hours(client: Client, sales: Queue) -> None:
    saved(client, day0="8-17")
    saved(client, queue="501", kind="always")

    assert client.get("/targets/hours/?queue=501").context["form"]["kind"].value() == "always"
    assert client.get("/targets/hours/?queue=501").context["is_open"] is True


@pytest.mark.parametrize(
    ("fields", "marked"),
    [
        ({"kind": "inherited", "day2": "8-17", "day3": "8-17"}, "day2"),
        ({"kind": "inherited", "day0": "9 till"}, "day0"),
        ({"kind": "inherited", "closed_days": "2026-12-25"}, "closed_days"),
        ({"kind": "always", "day6": "8-17"}, "day6"),
    ],
)
def test_what_is_written_beside_another_choice_is_not_thrown_away(
    client: Client, sales: Queue, fields: dict[str, str], marked: str
) -> None:
    answer = saved(client, queue="501", **fields)

    assert (answer.status_code, list(answer.context["form"].errors)) == (400, [marked])
    assert "or empty these fields" in answer.content.decode()
    assert answer.context["form"][marked].value() == fields[marked]
    assert not Hours.objects.exists()


def test_what_was_stored_may_go_by_another_choice(client: Client, sales: Queue) -> None:
    known = {"queue": "501", "day0": "8-12, 13-17", "closed_days": "2026-12-25 Christmas"}
    saved(client, **known)

    assert saved(client, **known, kind="always").status_code == 302
    assert Hours.objects.get().closed_days == [["2026-12-25", "Christmas"]]
    assert saved(client, queue="501", closed_days="2026-12-25 Christmas", kind="inherited").status_code == 302
    assert not Hours.objects.exists()


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"day2": "9 till 5"}, "is no range. Write it like"),
        ({"closed_days": "25.12."}, "is no date. Write it like"),
        ({"queue": "501"}, "Write when the queue is open on at least one day"),
    ],
)
def test_hours_that_make_no_sense_are_marked(
    client: Client, sales: Queue, fields: dict[str, str], sentence: str
) -> None:
    answer = saved(client, **fields)

    assert answer.status_code == 400
    assert sentence in answer.content.decode()
    assert not Hours.objects.exists()


def test_eight_to_five_is_asked_about_and_saved_as_it_was_meant(client: Client, sales: Queue) -> None:
    typed = {"day0": "8 to 5", "day1": "8-17", "day4": "7.30-12, 13-4", "closed_days": "2026-12-25 Christmas"}

    asked = saved(client, **typed)
    page = asked.content.decode()
    confirmed = saved(client, **typed, next_morning=asked.context["form"].confirmation)

    assert (asked.status_code, asked.context["form"].nights) == (400, ["Monday 08:00–05:00", "Friday 13:00–04:00"])
    assert "Closes at 05:00 of the next day? Then confirm it below. For the afternoon write 08:00–17:00." in page
    assert all(f'value="{each}"' in page for each in ("8 to 5", "8-17", "7.30-12, 13-4"))
    assert "2026-12-25 Christmas</textarea>" in page
    assert page.count("autofocus") == 1
    assert confirmed.status_code == 302
    assert Hours.objects.get().week[4] == [[450, 720], [780, 240]]


def test_a_confirmation_is_good_for_what_it_names_only(client: Client, sales: Queue) -> None:
    good_for = saved(client, day0="8-5").context["form"].confirmation

    other = saved(client, day0="8-5", day1="9-6", next_morning=good_for)

    assert other.status_code == 400
    assert list(other.context["form"].errors) == ["day1"]
    assert not Hours.objects.exists()


@pytest.mark.parametrize("text", ["22:00-06:00", "18-2", "8-0", "8-24", "13-1"])
def test_a_night_and_midnight_are_not_asked_about(client: Client, sales: Queue, text: str) -> None:
    assert saved(client, day0=text).status_code == 302


def test_hours_that_were_confirmed_once_are_not_asked_about_again(client: Client, sales: Queue) -> None:
    saved(client, day0="8-5", next_morning=saved(client, day0="8-5").context["form"].confirmation)

    assert saved(client, day0="8-5", day1="9-17").status_code == 302
    assert saved(client, day1="8-5").status_code == 400


def test_hours_of_a_queue_that_is_not_ours_are_not_found(client: Client, sales: Queue) -> None:
    assert client.get("/targets/hours/?queue=999").status_code == 404
    assert client.get("/targets/hours/?queue=5%0001").status_code == 400


@pytest.mark.parametrize("queue", ["", "501"])
def test_an_older_page_undoes_no_hours(queue: str, client: Client, sales: Queue) -> None:
    address = f"/targets/hours/?queue={queue}"
    older = client.get(address).context["stamp"]
    assert saved(client, queue=queue, day0="08:00-12:00", stamp=older).status_code == 302

    refused = saved(client, queue=queue, day1="09:00-10:00", stamp=older)

    assert refused.status_code == 409
    assert 'value="09:00-10:00"' in refused.content.decode()
    assert client.get(address).context["form"]["day0"].value() == "08:00–12:00"
    assert saved(client, queue=queue, day1="09:00-10:00", stamp=refused.context["stamp"]).status_code == 302
    assert client.get(address).context["form"]["day0"].value() == ""
