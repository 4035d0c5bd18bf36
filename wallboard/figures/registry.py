"""Every figure that any page, board or sheet shows, by its key. A number without an entry here fails a test."""

from wallboard.figures import of_calls, of_cards, of_operations, of_queues, of_reports
from wallboard.figures.figure import Figure

PARTS = (of_queues, of_calls, of_cards, of_reports, of_operations)
FIGURES: dict[str, Figure] = {key: figure for part in PARTS for key, figure in part.FIGURES.items()}


def formula(key: str) -> str:
    """How the figure is calculated, in the reader's language."""
    return str(FIGURES[key].formula)
