"""One sign-in and one TV have so many sockets and no more."""

from typing import Any

from accounts.access import Viewer
from wallboard.sockets.quota import Quota


def test_a_tv_and_a_person_have_their_own_quota_and_get_back_what_they_release(settings: Any) -> None:
    settings.SOCKETS_PER_VIEWER = 3
    ours = Quota()
    tv, other, person = (
        Viewer(1, "screen", screen_id=1),
        Viewer(1, "screen", screen_id=2),
        Viewer(1, "agent", user_id=1),
    )

    for each in (tv, person):
        assert [ours.take(each) for _ in range(4)] == [True, True, True, False]
    assert ours.take(other)
    ours.release(tv)

    assert [ours.take(tv), ours.take(tv)] == [True, False]
