"""What somebody with a limit sees of the feeds, document by document."""

from accounts.limits import Limit
from wallboard.sockets.visibility import LimitFilter

SOME = LimitFilter("queues", Limit(queues=frozenset({"501"})))


def test_mutes_are_seen_of_ones_own_queues_and_of_everything() -> None:
    shown = [key for key in ("mute:501", "mute:502", "mute:") if SOME.let_through(key, "{}")]

    assert shown == ["mute:501", "mute:"]
