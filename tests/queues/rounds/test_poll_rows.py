"""What a poll reads and holds by statements in words is what Django's own would tell."""

from typing import Any
from unittest.mock import Mock

import pytest
from django.db import OperationalError, models

from accounts import leases
from accounts.models import CompanyToken, Domain
from tests.queues.conftest import Answer, Read, row
from wallboard.live import feeds, publish
from wallboard.queues import editing, polling
from wallboard.queues.hours import calendar
from wallboard.queues.models import Hours, PollState, Queue, Target
from wallboard.queues.rounds import poll_rows
from wallboard.queues.targets import levels


def values(found: models.Model, names: tuple[str, ...]) -> dict[str, object]:
    return {name: getattr(found, name) for name in names}


def test_the_company_is_read_with_all_that_a_poll_needs(domain: Domain, read: Read) -> None:
    Domain.objects.update(poll_seconds=7.5, time_zone="Europe/Berlin")
    read(row("8001", 3, 45, 20), row(8002))

    taken = poll_rows.taken(domain.pk)

    assert taken is not None
    lease, found = taken
    plain = Domain.objects.select_related("poll_state", "company_token").get()
    assert values(found, poll_rows.OF_DOMAIN) == values(plain, poll_rows.OF_DOMAIN)
    assert values(found.poll_state, poll_rows.OF_STATE) == values(plain.poll_state, poll_rows.OF_STATE)
    assert values(found.company_token, poll_rows.OF_TOKEN) == values(plain.company_token, poll_rows.OF_TOKEN)
    assert found.company_token.access_token.open() == "canary-token"
    assert (found.name, found.poll_state.domain) == ("Acme", found)
    assert poll_rows.taken(domain.pk) is None, "the lease is held"
    lease.release()
    assert poll_rows.taken(domain.pk) is not None


def test_a_company_that_was_never_read_has_nothing_beside_it(domain: Domain) -> None:
    CompanyToken.objects.all().delete()
    leases.acquire(f"poll:{domain.pk}", 1).release()  # type: ignore[union-attr]

    taken = poll_rows.taken(domain.pk)

    assert taken is not None
    assert [getattr(taken[1], name, None) for name in ("poll_state", "company_token")] == [None, None]


def test_figures_are_made_with_the_targets_and_hours_of_now(domain: Domain, read: Read) -> None:
    read(row("8001"), row("8002"))
    own = Queue.objects.get(number="8002")
    editing.set_targets(domain, own, {"waiting_late": 4, "longest_wait_late_seconds": 33})
    closed = [["2026-12-25", "Christmas"], ["2026-12-26", 'A "quoted" day \\ ü']]
    Hours.objects.create(domain=domain, week=[[[540, 1020]]] + [[]] * 6, closed_days=closed, counts_outside=True)
    Hours.objects.create(domain=domain, queue=own, week=[[[1320, 120]]] * 7, keeps_closed_days=True)
    Domain.objects.update(wait_unit="ms", hidden_waits="longest average", period_waits="average")

    held = poll_rows.held(domain)

    assert held[:3] == ("ms", ["longest", "average"], ["average"])
    assert held.standards == levels.standards(domain.pk)
    assert held.standards.of("8002").waiting == (None, 4)
    assert held.schedule == calendar.schedule(domain)
    assert held.schedule.counts_outside
    assert len(held.schedule.of("8002").closed_days) == 2
    Target.objects.all().delete()
    Hours.objects.all().delete()
    assert poll_rows.held(domain)[3:] == (levels.standards(domain.pk), calendar.Schedule())


def test_a_poll_that_breaks_off_keeps_nothing_and_ends_its_lease(
    domain: Domain, read: Read, answer: Answer, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = read(row("8001", 1)).version
    PollState.objects.update(tried_at=None)
    answer(row("8001", 2), row("8002", 1))

    def refuse(*_: object, **__: object) -> None:
        raise RuntimeError

    with monkeypatch.context() as broken:
        broken.setattr(Queue.objects, "bulk_create", refuse)
        with pytest.raises(RuntimeError):
            polling.poll(domain)

    assert PollState.objects.get().version == version
    polling.poll(domain)
    state = PollState.objects.get()
    assert (state.version, state.figures["8001"][1]["waiting"]) == (version + 1, 2)


def test_poll_knows_since_which_reading_as_many_callers_wait(domain: Domain, read: Read) -> None:
    def moves(*rows: Any) -> bool:
        state = read(*rows)
        return state.moved_at == state.read_at

    assert moves(row("8001", waiting=2, longest=10))
    assert not moves(row("8001", waiting=2, longest=15))
    assert moves(row("8001", waiting=1, longest=20))
    assert moves(row("8001", waiting=1), row("8002"))
    assert moves(row("8001", waiting=1))  # one of them is missing
    assert not moves(row("8001", waiting=1))
    assert moves(row("8001", waiting=1), row("8002"))


def test_a_poll_whose_commit_may_have_been_kept_has_its_feed_compared(
    domain: Domain, read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(poll_rows, "store", Mock(side_effect=OperationalError))
    monkeypatch.setattr(publish.missed, "add", missed := Mock())

    with pytest.raises(OperationalError):
        read(row("8001"))

    missed.assert_called_once_with([feeds.queues(domain.pk)])
