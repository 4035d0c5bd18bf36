"""PUBLIC_URL as others reach it, as the wizard looks at it too."""

from collections.abc import Iterator

from accounts.companies import public_address as base
from wallboard.operations.doctor.findings import Finding, State
from wallboard.setup import status_checks
from wallboard.setup.starting import way_in

STATES = {status_checks.GOOD: State.GOOD, status_checks.WATCH: State.WATCH, status_checks.LATE: State.TROUBLE}


def public_address() -> Iterator[Finding]:
    """The way to PUBLIC_URL, step by step."""
    for look in way_in.public_address(base.url()):
        yield Finding(look.title, STATES[look.state], look.text, look.advice)
