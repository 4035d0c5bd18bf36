"""What a look found of one kind of condition."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from wallboard.alerts.conditions import State


@dataclass(frozen=True, slots=True)
class Finding:
    """The subjects for which the condition holds, which could be judged (None: all), and why some ended otherwise."""

    states: list[State] = field(default_factory=list)
    judged: Collection[str] | None = None
    why_ended: Mapping[str, str] = field(default_factory=dict)


NOT_JUDGED = Finding(judged=())
