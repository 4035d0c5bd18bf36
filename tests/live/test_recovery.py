"""What a browser that comes back gets of what it missed. The Redis is a real one."""

import pytest

from tests.live.cuts import CALLS, cut
from wallboard.live import connections, feeds, publish
from wallboard.live.mirror import Mirror

pytestmark = pytest.mark.usefixtures("redis_url")


# The cases of the recovery table of centrifugal/centrifuge (broker_redis_test.go, `brokerRecoverTests`), by its names:
# how long the log may be, how many entries were published, after which one a browser asks, and what it must get.
RECOVERY = {
    "empty_stream": (10, 0, 0, 0, True),
    "from_position": (10, 10, 8, 2, True),
    "from_position_limited": (10, 10, 5, 5, True),
    "from_position_with_server_limit": (10, 10, 5, 5, True),
    "from_position_that_already_gone": (10, 20, 8, 0, False),
    "from_position_that_not_exist_yet": (10, 20, 108, 0, False),
    "same_position_no_pubs_expected": (10, 7, 7, 0, True),
    "empty_position_recover_expected": (10, 4, 0, 4, True),
    "from_position_in_expired_stream": (10, 10, 8, 0, False),
    "from_same_position_in_expired_stream": (10, 1, 1, 0, False),
}


@pytest.mark.parametrize("name", RECOVERY)
def test_recovery(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits never cut an answer short here, for values are whole; and an expired log is a lost one: it is refused even
    at the same position, because its nonce shows that it is another."""
    length, published, since, recovered, is_recovered = RECOVERY[name]
    monkeypatch.setattr(feeds, "LOG_LENGTH", length)
    publish.mend(CALLS, dict)
    ids = {0: cut().position}
    for number in range(1, published + 1):
        ids[number] = str(CALLS.publish({str(number): (1, {"n": number})}))
    if "expired" in name:
        connections.client().flushdb()
        publish.mend(CALLS, lambda: {str(number): (1, {"n": number}) for number in range(1, published + 1)})

    mirror = Mirror()
    mirror.adopt(cut())
    keys = mirror.changed_since(ids.get(since, f"{since}-1"))

    assert (keys is not None) == is_recovered
    assert len(keys or ()) == recovered
