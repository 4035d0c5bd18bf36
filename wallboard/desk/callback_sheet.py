"""The list of call-backs as rows of a sheet."""

from collections.abc import Iterator
from datetime import UTC, datetime

from accounts.access import Viewer
from accounts.company_day import zone_of
from accounts.models import Domain
from accounts.sheets.cells import stamp
from wallboard.desk import callbacks

FIGURES = {"waited": "desk.waited", "calls": "desk.times"}  # by column


def lines(viewer: Viewer, domain: Domain) -> Iterator[tuple[object, ...]]:
    """A line per open call-back that the viewer may see, newest first, with a head."""
    zone = zone_of(domain)
    yield (f"last call ({domain.time_zone})", "number", "name", "waited", "calls", "taken by")
    for row in callbacks.callback_list(viewer, domain, is_whole=True)["rows"]:
        at = datetime.fromtimestamp(row["at"] / 1000, UTC)
        yield (stamp(at, zone), row["shown"], row["name"], row["waited"], row["times"], row["owner"])
