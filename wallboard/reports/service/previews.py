"""What each formula makes of the calls of the last days, so that nobody chooses blindly."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from accounts import company_day
from accounts.models import Domain
from wallboard.calibration.locks import Ground
from wallboard.reports.period_parts import Period
from wallboard.reports.queue_calls import QueueCall, TooMany
from wallboard.reports.service import counting
from wallboard.reports.service_level import FORMULAS, Rule, Rules, ServiceFigures, figures

DAYS = (7, 1)  # fewer where these have more calls than can be counted at once


@dataclass(frozen=True)
class Looked:
    """Calls of the last days, today included; None where even those of today are too many."""

    days: int
    calls: list[QueueCall] | None


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
            return Looked(days, counting.calls(domain, period, firm))
        except TooMany:
            continue
    return Looked(0, None)


def formulas(calls: Sequence[QueueCall], by: Rules) -> list[FormulaPreview]:
    """Every formula over these calls, with the seconds of the rules."""
    found = []
    for key in FORMULAS:
        default = replace(by.default, formula=key)
        own = {number: replace(rule, formula=key) for number, rule in by.own.items()}
        found.append(FormulaPreview(key, default, figures("", calls, Rules(default, own))))
    return found


def of_queue(calls: Sequence[QueueCall], number: str, by: Rules) -> ServiceFigures:
    """One queue over these calls."""
    return figures(number, [call for call in calls if call.queue == number], by)
