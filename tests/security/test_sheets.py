"""Every sheet of every page, opened as spreadsheet programs do and held beside its CSV, hostile texts too."""

from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import AuditEntry
from tests.harness.sheets import differences, of_xlsx
from tests.security.asks import SHEETS
from tests.security.company import Company
from tests.security.hostile import FIT
from tests.security.test_hostile_text import fill
from wallboard.reports.rollups import rolling

ALL: list[tuple[str, dict[str, Any]]] = [(name, asked) for name, sheets in SHEETS.items() for asked in sheets]
ALL += [("reports:reports", {"of": of}) for of in ("parts", "alerts")]
ALL += [("calls:calls", {}), ("contacts:export", {}), ("reports:reports", {"of": "queues", "head": "plain"})]


def test_each_sheet_says_the_same_in_both_kinds(ours: Company) -> None:
    fill(ours, FIT)
    rolling.roll(ours.domain, timezone.now())  # so many queues are counted by the worker
    client, wrong, sizes = ours.browser("supervisor"), {}, {}
    for name, asked in ALL:
        key = f"{name} {asked}"
        as_csv, as_xlsx = (client.get(reverse(name), {**asked, "as": kind}) for kind in ("csv", "xlsx"))
        assert (as_csv.status_code, as_xlsx.status_code) == (200, 200), key
        if found := differences(as_xlsx.content, as_csv.content):
            wrong[key] = found[:3]
        sizes[key] = len(of_xlsx(as_xlsx.content))
    assert wrong == {}
    assert [key for key, size in sizes.items() if size < 2 and "call_backs" not in key] == []


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_both_kinds_are_in_the_audit_log(kind: str, ours: Company) -> None:
    client = ours.browser("supervisor")
    before = AuditEntry.objects.filter(company_id=ours.domain.pk).count()

    for name, asked in ALL:
        client.get(reverse(name), {**asked, "as": kind})

    kept = AuditEntry.objects.filter(company_id=ours.domain.pk, what__endswith="exported").count()
    assert kept == AuditEntry.objects.filter(company_id=ours.domain.pk).count() - before == len(ALL)
