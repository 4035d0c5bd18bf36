"""What each formula makes of the calls of the last days, so that nobody chooses blindly."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta

from accounts import company_day
from accounts.models import Domain
from wallboard.calibration.locks import Ground
from wallboard.reports.period_parts import Period
from wallboard.reports.queue_calls import TooMany
from wallboard.reports.rollups.queue_sums import OfQueues
from wallboard.reports.service import counting
from wallboard.reports.service.by_queue import Counter
from wallboard.reports.service_level import FORMULAS, Rule, Rules, ServiceFigures, of_sums

DAYS = (7, 1)  # fewer where these have more calls than can be counted at once


@dataclass(frozen=True)
class Looked:
    """Calls of the last days, today included: `calls` of them, none where even those of today are too many."""

    days: int
    calls: int | None
    sums: OfQueues


@dataclass(frozen=True)
class FormulaPreview:
    """A formula as it reads with these seconds, and what it makes of the calls."""

    key: str
    rule: Rule
    figures: ServiceFigures

    @property
    def name(self) -> str:
        return str(FORMULAS[self.key].name)

    @property
    def source(self) -> str:
        return str(FORMULAS[self.key].source)

    @property
    def text(self) -> str:
        return self.rule.read()


def look(domain: Domain, firm: Ground, today: date) -> Looked:
    """The calls of as many days as can be counted."""
    for days in DAYS:
        first = today - timedelta(days=days - 1)
        period = Period(first, today, company_day.zone_of(domain), domain.day_starts_hour, domain.clock)
        try:
            sums = counting.sums(domain, period, firm)
        except TooMany:
            continue
        return Looked(days, sum(sums.offered(sums.all_shown).values()), sums)
    return Looked(0, None, OfQueues())


def formulas(sums: OfQueues, by: Rules) -> list[FormulaPreview]:
    """Every formula over these calls, with the seconds of the rules."""
    numbers = sums.all_shown
    counter, found = Counter(sums, by, sums.together(numbers) if numbers else None), []
    for key in FORMULAS:
        default = replace(by.default, formula=key)
        own = {number: replace(rule, formula=key) for number, rule in by.own.items()}
        figures = replace(counter, by=Rules(default, own)).count(numbers)
        found.append(FormulaPreview(key, default, figures))
    return found


def of_queues(sums: OfQueues, numbers: Iterable[str], by: Rules) -> Mapping[str, ServiceFigures]:
    """Each of these queues over these calls."""
    wanted = list(numbers)
    found = sums.of(wanted)
    return {number: of_sums(number, {number: found.get(number, [])}, by) for number in wanted}
