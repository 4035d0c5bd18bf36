"""How many sockets a sign-in, TV or program may have open in a server process: a stolen cookie must not fill it up."""

from collections import Counter

from django.conf import settings

from accounts.access import Viewer


class Quota:
    """Counts open sockets; one per event loop."""

    def __init__(self) -> None:
        self._open: Counter[tuple[int | None, int | None, int | None]] = Counter()

    def take(self, viewer: Viewer) -> bool:
        """Count one more socket of this viewer; False where there are as many as may be."""
        if self._open[_whose(viewer)] >= settings.SOCKETS_PER_VIEWER:
            return False
        self._open[_whose(viewer)] += 1
        return True

    def release(self, viewer: Viewer) -> None:
        """One of the viewer's sockets is gone."""
        self._open[_whose(viewer)] -= 1
        # A zero would stay for every user there ever was.
        if self._open[_whose(viewer)] <= 0:
            del self._open[_whose(viewer)]


def _whose(viewer: Viewer) -> tuple[int | None, int | None, int | None]:
    return viewer.user_id, viewer.screen_id, viewer.token_id
