"""How sending can fail, and what goes out: a message says the same whenever it is tried again."""

from wallboard.notifications.channels.outcomes import NotSent
from wallboard.notifications.messages import Message


def test_a_failure_carries_the_words_of_the_other_side() -> None:
    failure = NotSent("410 Gone", is_final=True)

    assert (str(failure), failure.reason, failure.is_final) == ("410 Gone", "410 Gone", True)
    assert not NotSent("busy").is_final


def test_messages_with_the_same_content_are_equal() -> None:
    one, two = (Message(id="m1", title="Late", text="Sales is late", url="https://wall.example.com/") for _ in range(2))

    assert one == two
    assert one.acknowledge_url == ""
