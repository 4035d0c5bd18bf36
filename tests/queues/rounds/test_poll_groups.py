"""Several polls that are taken and stored together leave what each would have left alone."""

import json
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from unittest.mock import Mock

import msgspec
import pytest
from django.db import OperationalError, connection, transaction
from django.utils import timezone

from accounts.encryption import sealed
from accounts.models import Domain, Lease
from tests.harness.database import on_postgres
from tests.queues.conftest import BASE_URL, Answer, row, with_token
from wallboard.live import connections, feeds, publish
from wallboard.queues import documents, pacing, polling
from wallboard.queues.models import PollState, Queue, Reading
from wallboard.queues.rounds import poll_groups, poll_rows, polls
from wallboard.queues.rounds.poll_groups import Answered
from wallboard.telephony import resources

Read = Callable[..., None]
FIRST = row("8001", 3, 45, 20), row("8002")
SECOND = row("8001", 9, 300, 20), row("8002")


@pytest.fixture
def companies(redis_url: str, answer: Answer) -> list[Domain]:
    """Three that were read once."""
    answer(*FIRST)
    made = []
    for n in range(3):
        company = Domain.objects.create(
            slug=f"c{n}", name="C", base_url=BASE_URL, client_id="id", client_secret=sealed("canary-secret")
        )
        with_token(company)
        polling.poll(company)
        made.append(company)
    PollState.objects.update(tried_at=None)
    return made


def answered(found: Sequence[Any], *rows: Any) -> list[Answered]:
    """What the provider of each has answered, as it was taken."""
    answer = resources.queue_stats(json.dumps(rows).encode())
    return [Answered(domain, pacing.state_of(domain), lease, timezone.now(), answer) for lease, domain in found]  # type: ignore[arg-type]


def ids_of(companies: Sequence[Domain]) -> list[int]:
    return [company.pk for company in companies]


def in_feed(domain: Domain) -> dict[str, Any]:
    values: dict[str, str] = connections.client().hgetall(feeds.queues(domain.pk).keys[1])  # type: ignore[assignment]
    return {key: json.loads(text) for key, text in values.items()}


def in_database(domain: Domain) -> dict[str, Any]:
    found = msgspec.to_builtins(documents.documents(domain.pk))
    return {key: document for key, (_, document) in found.items() if document is not None}


def test_those_that_lie_close_together_are_read_at_one_moment_and_nobody_waits_long() -> None:
    found = [polls.Due(number, number / 32, "one.test", False) for number in range(140)]

    groups = list(polls.groups(found))

    planned = [each for group in groups for each in group]
    assert [each.domain_id for each in planned] == list(range(140))
    assert [len(group) for group in groups] == 20 * [7]
    assert all(len({each.seconds for each in group}) == 1 for group in groups)
    waits = [each.seconds - before.seconds for each, before in zip(planned, found, strict=True)]
    assert (min(waits), max(waits)) == (0, 6 / 32)
    many = [polls.Due(number, number / 1000, "one.test", False) for number in range(100)]
    assert max(len(group) for group in polls.groups(many)) == polls.TOGETHER
    assert list(polls.groups(found[:1])) == [found[:1]]
    assert list(polls.groups([])) == []


def test_a_moment_stays_in_one_share() -> None:
    found = [polls.Due(number, number // 16 / 10, "one.test", False) for number in range(1000)]

    of_moment: dict[float, set[int]] = {}
    for place, share in enumerate(polls.shares(found)):
        for each in share:
            of_moment.setdefault(each.seconds, set()).add(place)

    assert all(len(places) == 1 for places in of_moment.values())


@pytest.mark.django_db
def test_taken_together_is_what_each_reads_alone(companies: list[Domain]) -> None:
    if not on_postgres():
        return
    unread = Domain.objects.create(slug="new", name="New", base_url=BASE_URL, client_id="id")
    held = poll_rows.taken(companies[1].pk)
    assert held is not None

    found = poll_groups.taken([*ids_of(companies), unread.pk])

    assert [each is not None for each in found] == [True, False, True, False]
    for taken, company in zip(found, companies, strict=False):
        if taken is not None:
            lease, domain = taken
            plain = Domain.objects.select_related("poll_state", "company_token").get(pk=company.pk)
            for got, wanted, names in (
                (domain, plain, poll_rows.OF_DOMAIN),
                (domain.poll_state, plain.poll_state, poll_rows.OF_STATE),
                (domain.company_token, plain.company_token, poll_rows.OF_TOKEN),
            ):
                assert [getattr(got, name) for name in names] == [getattr(wanted, name) for name in names]
            row = Lease.objects.get(name=f"poll:{company.pk}")
            assert (row.owner, row.fence) == (lease.owner, lease.fence)
            assert lease.renew(1)
            lease.release()
    assert poll_groups.taken(ids_of(companies))[0] is not None


@pytest.mark.django_db
def test_stored_together_is_what_each_stores_alone(companies: list[Domain], answer: Answer) -> None:
    if not on_postgres():
        return
    alone, *others = companies
    answer(*SECOND)
    polling.poll_by_id(alone.pk)

    assert polling._store_together(answered(poll_groups.taken(ids_of(others)), *SECOND)) == [True, True]

    names = ("version", "fence", "skipped_rows", "failing_since", "failure", "failures", "not_before")
    states = [PollState.objects.get(domain=company) for company in companies]
    assert len({tuple(getattr(state, name) for name in names) for state in states}) == 1
    assert len({str(state.figures["8001"][1] | {"since": 0}) for state in states}) == 1
    for company, state in zip(companies, states, strict=True):
        last = Reading.objects.filter(domain=company).latest("read_at")
        assert (last.figures["8001"], last.raw["8001"][0]) == ([9, 300, 20, 4, 2, "late"], 9)
        assert last.read_at == state.read_at == state.moved_at
        assert Lease.objects.get(name=f"poll:{company.pk}").owner == ""
        assert in_feed(company) == in_database(company)
        assert in_feed(company)["queue:8001"]["waiting"] == 9


@pytest.mark.django_db
def test_reading_that_shows_as_many_callers_moves_nothing(companies: list[Domain]) -> None:
    if not on_postgres():
        return
    before = PollState.objects.get(domain=companies[0])

    polling._store_together(answered(poll_groups.taken(ids_of(companies)), row("8001", 3, 50, 25), row("8002")))

    after = PollState.objects.get(domain=companies[0])
    assert after.version == before.version + 1
    assert after.moved_at == before.moved_at is not None


@pytest.mark.django_db
def test_who_was_overtaken_leaves_no_trace_and_others_do(
    companies: list[Domain], caplog: pytest.LogCaptureFixture
) -> None:
    if not on_postgres():
        return
    polls = answered(poll_groups.taken(ids_of(companies)), *SECOND)
    PollState.objects.filter(domain=companies[0]).update(version=7)
    PollState.objects.filter(domain=companies[1]).update(fence=99)

    assert polling._store_together(polls) == [True, True, True]

    assert [Reading.objects.filter(domain=company).count() for company in companies] == [1, 1, 2]
    assert [in_feed(company)["queue:8001"]["waiting"] for company in companies] == [3, 3, 9]
    assert [each.lease.is_over for each in polls] == [False, False, True]
    assert [each.getMessage() for each in caplog.records] == [polling.TOO_LATE] * 2
    caplog.clear()


@pytest.mark.django_db
def test_a_new_queue_is_left_to_its_own_poll(companies: list[Domain]) -> None:
    if not on_postgres():
        return
    found = poll_groups.taken(ids_of(companies))
    several = [*answered(found[:1], *SECOND, row("8003")), *answered(found[1:], *SECOND)]

    assert polling._store_together(several) == [None, True, True]

    assert PollState.objects.get(domain=companies[0]).version == 1
    assert not several[0].lease.is_over
    assert not Queue.objects.filter(number="8003").exists()


@pytest.mark.django_db(transaction=True)
def test_rows_that_somebody_else_has_locked_keep_no_other_company_waiting(companies: list[Domain]) -> None:
    if not on_postgres():
        return
    polls = answered(poll_groups.taken(ids_of(companies)), *SECOND)

    def stored() -> list[bool | None]:
        try:
            return polling._store_together(polls)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as thread, transaction.atomic():
        Domain.objects.select_for_update().get(pk=companies[0].pk)
        PollState.objects.select_for_update().get(domain=companies[1])
        assert thread.submit(stored).result(5) == [None, None, True]


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("redis_url")
def test_polls_at_one_moment_share_their_statements_and_one_that_is_spoilt_spoils_no_other(
    companies: list[Domain], answer: Answer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(polls, "CROWD", -1)
    for together in (polling._takes, polling._stores):
        monkeypatch.setattr(together, "_gather_seconds", 0.5)
    stored: list[int] = []
    store = poll_groups.store

    def counted(these: Sequence[Answered]) -> list[poll_groups.Stored | None]:
        stored.append(len(these))
        return store(these)

    monkeypatch.setattr(poll_groups, "store", counted)

    def poll(company: Domain) -> float | str | None:
        try:
            return polling.poll_by_id(company.pk)
        except msgspec.ValidationError:
            return "spoilt"
        finally:
            connection.close()

    def all_at_once(*rows: Any) -> list[Any]:
        PollState.objects.update(tried_at=None)
        answer(*rows)
        with ThreadPoolExecutor(3) as threads:
            return list(threads.map(poll, companies))

    assert all_at_once(*SECOND) == [None, None, None]
    assert stored == ([3] if on_postgres() else [])
    assert [in_feed(company) for company in companies] == [in_database(company) for company in companies]
    assert {in_feed(company)["queue:8001"]["waiting"] for company in companies} == {9}

    PollState.objects.filter(domain=companies[1]).update(figures={"8001": "nonsense"})
    assert all_at_once(*FIRST, row("8003")) == [None, "spoilt", None]  # the new queue leaves all to themselves
    assert all_at_once(*FIRST, row("8003")) == [None, "spoilt", None]
    assert [Reading.objects.filter(domain=company).count() for company in companies] == [4, 2, 4]
    assert set(Lease.objects.filter(name__startswith="poll:").values_list("owner", flat=True)) == {""}
    caplog.clear()


@pytest.mark.django_db
def test_polls_whose_commit_may_have_been_kept_have_their_feeds_compared(
    companies: list[Domain], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(poll_groups, "store", Mock(side_effect=OperationalError))
    monkeypatch.setattr(publish.missed, "add", missed := Mock())
    found = [poll_rows.taken(company.pk) for company in companies]

    with pytest.raises(OperationalError):
        polling._store_together(answered(found, *SECOND))

    assert [*missed.call_args.args[0]] == [feeds.queues(company.pk) for company in companies]
