"""A formula of the service level that an address tries, without changing how the company counts."""

from collections.abc import Mapping

from wallboard.reports.service_level import FORMULAS, LONGEST_SECONDS, Rule, Rules

NAMES = ("formula", "within", "short")


def named(asked: Mapping[str, str]) -> dict[str, str]:
    """What an address names of a rule, as it stands there; any part may lack, or be nonsense."""
    return {name: asked[name] for name in NAMES if name in asked}


def tried(asked: Mapping[str, str], chosen: Rules) -> Rules:
    """One rule for all queues where these parts make another one than the company's; else `chosen` itself.

    Nonsense counts as not given.
    """
    default, name = chosen.default, asked.get("formula", "")
    rule = Rule(
        name if name in FORMULAS else default.formula,
        _seconds(asked.get("within", ""), default.target),
        _seconds(asked.get("short", ""), default.short),
        default.is_open_only,
    )
    return chosen if rule == default else Rules(rule)


def _seconds(text: str, usual: int) -> int:
    return min(int(text), LONGEST_SECONDS) if text.isascii() and text.isdigit() and len(text) < 6 else usual
