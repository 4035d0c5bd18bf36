"""Callers are told apart by digests that nobody can try numbers against."""

import json
from hashlib import blake2b
from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection

from accounts.models import Domain
from tests.calibration.test_findings import Recording, answers, watch
from tests.desk.conftest import Company
from wallboard.calibration import findings
from wallboard.calibration.floor_view import caller_digest
from wallboard.calibration.models import Finding, Progress
from wallboard.telephony.messages import CallEvent, Endpoint

OLD = blake2b(b"+4930901820\n10:00", digest_size=8).hexdigest()


@pytest.fixture
def domain(company: Company) -> Domain:
    return company.domain


def kept(domain: Domain) -> str:
    states = Finding.objects.filter(domain=domain).values_list("state", flat=True)
    return Progress.objects.get(domain=domain).view + "".join(states)


def make_old(domain: Domain) -> None:
    """Store the digests as an older release did."""
    progress = Progress.objects.get(domain=domain)
    view = json.loads(progress.view)
    del view["is_keyed"]
    for leg in view["legs"].values():
        leg["caller"] = OLD
    view["callers"] = {OLD: list(view["legs"])}
    Progress.objects.filter(pk=progress.pk).update(view=json.dumps(view))
    for row in Finding.objects.filter(domain=domain):
        state = json.loads(row.state)
        for agreement in state["tally"]["agreements"].values():
            agreement["sources"] = [OLD]
        Finding.objects.filter(pk=row.pk).update(state=json.dumps(state))


def test_a_digest_needs_the_secret(settings: object) -> None:
    event = CallEvent(Endpoint("call", id="+4930901820"), Endpoint("call"), time_start="10:00")

    first = caller_digest(event)
    settings.SECRET_KEY = "another"  # type: ignore[attr-defined]

    assert first not in (OLD, caller_digest(event))


def test_what_an_older_release_stored_begins_anew_with_the_next_look(domain: Domain) -> None:
    recording = Recording(domain)
    watch(recording, 14, runs=1)
    proven = answers(domain)
    make_old(domain)

    watch(recording, 1, runs=1)

    assert OLD not in kept(domain)
    assert "caller_ids" in proven
    assert answers(domain) == proven
    watch(recording, 1, runs=1)
    # Once only: now the view goes on.
    assert len(json.loads(Progress.objects.get(domain=domain).view)["legs"]) > 0
    assert findings.restored(Progress.objects.get(domain=domain), {}).view.is_keyed


def test_what_nobody_looks_at_any_more_is_emptied_by_the_migration(domain: Domain) -> None:
    recording = Recording(domain)
    watch(recording, 14, runs=1)
    proven = answers(domain)
    make_old(domain)
    Finding.objects.create(domain=domain, question="of another release", state="[]")
    migration = import_module("wallboard.calibration.migrations.0003_keyed_callers")

    for _ in range(2):
        migration.forget_digests(apps, connection.schema_editor())

    assert OLD not in kept(domain)
    watch(recording, 1, runs=1)
    assert answers(domain) == proven
