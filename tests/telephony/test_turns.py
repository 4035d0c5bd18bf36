"""Who is next: fair among providers, with places left for those that answer."""

from wallboard.telephony.turns import Turn, Turns


def waiting(provider: str, *works: int, is_failing: bool = False) -> list[Turn[int]]:
    return [Turn(provider, is_failing, work) for work in works]


def filled(places: int, *turns: Turn[int]) -> Turns[int]:
    made: Turns[int] = Turns(places)
    for turn in turns:
        made.add(turn)
    return made


def taken(turns: Turns[int]) -> list[int]:
    """All that have a place now, in order."""
    found = []
    while turn := turns.take():
        found.append(turn.work)
    return found


def test_providers_take_turns_however_many_companies_wait_for_one() -> None:
    turns = filled(8, *waiting("big", 1, 2, 3, 4), *waiting("small", 11, 12), *waiting("other", 21))

    assert taken(turns) == [1, 11, 21, 2, 12, 3, 4]


def test_one_provider_leaves_places_to_others() -> None:
    turns = filled(8, *waiting("big", *range(20)))
    assert taken(turns) == list(range(6))

    turns.add(Turn("small", False, 50))

    assert taken(turns) == [50]


def test_who_failed_lately_shares_half_of_the_places() -> None:
    failing = [turn for number in range(10) for turn in waiting(f"dead{number}", number, is_failing=True)]
    turns = filled(8, *failing)

    assert len(taken(turns)) == 4
    turns.add(Turn("good", False, 50))
    assert taken(turns) == [50]


def test_after_some_failures_in_a_row_all_companies_of_a_provider_count_as_failing_until_one_succeeds() -> None:
    turns = filled(8, *waiting("dying", *range(20)))
    begun = list(iter(turns.take, None))
    assert len(begun) == 6
    for turn in begun:
        turns.done(turn, is_failure=True)

    begun = list(iter(turns.take, None))
    assert len(begun) == 4
    for turn in begun:
        turns.done(turn, is_failure=False)

    assert len(taken(turns)) == 6


def test_a_place_is_free_again_when_its_turn_is_over() -> None:
    turns = filled(1, *waiting("one", 1, 2))
    first = turns.take()
    assert first is not None
    assert turns.take() is None

    turns.done(first, is_failure=False)

    assert taken(turns) == [2]
