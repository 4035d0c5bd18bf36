"""A company some days after those that are added up."""

from collections.abc import Iterator

import pytest
import time_machine

from accounts.models import Domain
from tests.desk.conftest import Company
from tests.reports.rollups.some_days import AFTER, ZONE
from tests.reports.test_queue_calls import CERTAIN
from wallboard.calibration import findings


@pytest.fixture
def domain(company: Company) -> Iterator[Domain]:
    """The company a while after the days, its days beginning at four."""
    Domain.objects.filter(pk=company.domain.pk).update(time_zone=str(ZONE), day_starts_hour=4)
    company.domain.refresh_from_db()
    for question, answer in CERTAIN.items():
        findings.overrule(company.domain, question, answer, None)
    with time_machine.travel(AFTER, tick=False):
        yield company.domain
