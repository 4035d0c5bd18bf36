"""The hub: from a publish to every browser, through everything that can go wrong with Redis on the way."""

from tests.live.conftest import Browser, Truth, until
from wallboard.live import feeds
from wallboard.live.hub import Hub

QUEUES = feeds.queues(1)


async def test_joining_gives_the_whole_feed_and_then_what_changes(hub: Hub, truth: Truth) -> None:
    truth.documents[QUEUES] = {"queue:1": (1, {"waiting": 0}), "queue:2": (1, {"waiting": 4})}
    browser = Browser()

    hub.join(browser.socket, [(QUEUES, "")])
    await until(lambda: "queues" in browser.documents)
    QUEUES.publish({"queue:1": (2, {"waiting": 3}), "queue:2": (2, None)})
    await until(lambda: len(browser.frames) == 2)

    assert [sorted(frame) for frame in browser.frames] == [
        ["feed", "id", "snapshot"],
        ["del", "feed", "id", "prev", "set"],
    ]
    assert browser.documents == {"queues": {"queue:1": {"waiting": 3}}}
    assert browser.gaps == 0
    assert browser.pings[0]["release"] == "r1"
