"""What two people wrote into one table is kept; the tables that do so are tested in their rooms."""

import pytest

from accounts.saving import tables


def test_what_was_written_stays_and_what_was_not_is_as_the_other_left_it() -> None:
    made_from = tables.carried({"a": "1", "b": "2", "c": "", "box": "on"})
    mine = {"a": "mine", "b": "2", "c": "", "stamp": "s", tables.FIELD: made_from}
    theirs = {"a": "theirs", "b": "theirs", "c": "theirs", "box": "on", "new": "theirs"}

    found = tables.merged(mine, theirs)

    assert found == mine | {"b": "theirs", "c": "theirs", "new": "theirs"}  # and the box is not ticked


@pytest.mark.parametrize("text", ["", "{", "[1]", "null", "[" * 100_000])
def test_a_page_that_does_not_tell_what_it_was_made_from_keeps_what_it_holds(text: str) -> None:
    found = tables.merged({"a": "mine", "b": "", tables.FIELD: text}, {"a": "theirs", "b": "theirs"})

    assert (found["a"], found["b"]) == ("mine", "theirs")
