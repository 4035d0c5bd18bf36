"""How many sockets a sign-in, TV, program or embed link may have open in a process: no cookie may fill it up."""

from collections import Counter

from django.conf import settings

from accounts.access import Viewer

EMBEDDED = 10  # times as many: one link stands on a page that a whole company opens
Owner = tuple[int | None, int | None, int | None, int | None]


class Quota:
    """Counts open sockets; one per event loop."""

    def __init__(self) -> None:
        self._open: Counter[Owner] = Counter()

    def take(self, viewer: Viewer) -> bool:
        """Count one more socket of this viewer; False where there are as many as may be."""
        most = settings.SOCKETS_PER_VIEWER * (EMBEDDED if viewer.embed_id else 1)
        if self._open[_whose(viewer)] >= most:
            return False
        self._open[_whose(viewer)] += 1
        return True

    def release(self, viewer: Viewer) -> None:
        """One of the viewer's sockets is gone."""
        self._open[_whose(viewer)] -= 1
        # A zero would stay for every user there ever was.
        if self._open[_whose(viewer)] <= 0:
            del self._open[_whose(viewer)]


def _whose(viewer: Viewer) -> Owner:
    return viewer.user_id, viewer.screen_id, viewer.token_id, viewer.embed_id
