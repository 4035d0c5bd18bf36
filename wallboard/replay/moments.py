"""Moments as an address names them: `?at=2026-11-22T10:40:00`, by the clock of the board."""

from datetime import UTC, date, datetime

from accounts import company_day
from accounts.models import Domain

MOST_LETTERS = 40


def parse(text: str, domain: Domain) -> datetime | None:
    """The moment, by the company's clock or with an offset of its own; None for nonsense."""
    if len(text) > MOST_LETTERS:
        return None
    try:
        found = datetime.fromisoformat(text)
        if not company_day.FIRST < found.date() < company_day.LAST:
            return None
        if found.tzinfo is None:
            found = found.replace(tzinfo=company_day.zone_of(domain))
        return found.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def parse_day(text: str) -> date | None:
    """The day of that name, 2026-11-22; None for nonsense."""
    try:
        found = date.fromisoformat(text)
    except ValueError:
        return None
    return found if company_day.FIRST < found < company_day.LAST else None


def written(moment: datetime, domain: Domain) -> str:
    """The moment as an address names it."""
    local = moment.astimezone(company_day.zone_of(domain)).replace(microsecond=0)
    # Of an hour that the clock shows twice, the second time needs its offset.
    return (local if local.fold else local.replace(tzinfo=None)).isoformat()
