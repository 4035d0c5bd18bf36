"""What a web process does for deliveries before the first one comes."""

from wallboard.calls.webhooks import intake_watch
from wallboard.calls.webhooks.receive import hook_secrets

WAIT_SECONDS = 1.0  # for a database that is slow or away: pages and boards do not wait longer for the process


def start() -> None:
    """Say from now on that this process takes deliveries, and know their addresses."""
    intake_watch.start()
    hook_secrets.read_ahead(WAIT_SECONDS)
