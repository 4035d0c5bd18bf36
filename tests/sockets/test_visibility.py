"""What somebody with a limit sees of the feeds, document by document."""

from accounts.limits import Limit
from wallboard.live import feeds
from wallboard.live.feeds import Feed
from wallboard.sockets.visibility import LimitFilter

SOME = LimitFilter("queues", Limit(queues=frozenset({"501"})))


def test_mutes_are_seen_of_ones_own_queues_and_of_everything() -> None:
    shown = [key for key in ("mute:501", "mute:502", "mute:") if SOME.let_through(key, "{}")]

    assert shown == ["mute:501", "mute:"]


def test_ids_name_a_limit_alike_in_all_processes() -> None:
    """Sets of text have another order in each process, and a browser may come back to any of them."""
    limits = [Limit(people=frozenset(str(each) for each in range(100, last))) for last in (120, 119)]
    digests = [Feed(1, "people", LimitFilter("people", limit)).filter_digest for limit in limits]

    assert digests == ["f492059d", "4f4ba895"]
    assert feeds.people(1).filter_digest == ""
