"""The two messages that tell a new subscriber about the set-up of its subscription."""

from wallboard.simulator.dialect.switches import Dialect
from wallboard.simulator.types import JSON

PREPARING_SECONDS, READY_SECONDS = 0.3, 0.5
TEXTS = {"preparing": "Subscription is being prepared.", "ready": "Subscription is ready."}


def initialization_steps(dialect: Dialect) -> list[tuple[float, JSON | None]]:
    """Each step's seconds after the one before, and its message, None where the dialect loses it."""
    preparing = 0.0 if dialect.initialization == "before_answer" else PREPARING_SECONDS
    return [
        (preparing + dialect.initialization_delay_seconds, _message("preparing", dialect)),
        (READY_SECONDS, _message("ready", dialect)),
    ]


def _message(state: str, dialect: Dialect) -> JSON | None:
    # The step stays, so that a lost message takes its time all the same.
    is_lost = dialect.initialization == "none" or (dialect.initialization == "ready_lost" and state == "ready")
    return None if is_lost else {"msg": TEXTS[state], "state": state}
