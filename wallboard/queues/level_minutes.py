"""Minutes late, on watch, and with callers and nobody available: one computation for reports and targets."""

from django.db.models import Count, Sum

LEVEL_SUMS = {
    "late": Sum("late_seconds"),
    "watch": Sum("watch_seconds"),
    "nobody": Sum("nobody_seconds"),
    "measured": Count("id"),  # minutes, since a sample is one minute of one queue
}


def minutes(seconds: float | None) -> int:
    """Seconds that were added up, as whole minutes; 0 where there were none."""
    # Samples are kept to the thousandth: digits beyond it depend on the order of adding, and would tip a half minute.
    return round(round(seconds or 0, 3) / 60)
