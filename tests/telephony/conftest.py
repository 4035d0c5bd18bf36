"""Connections to the provider that no other test has used."""

from collections.abc import Iterator

import pytest

from wallboard.telephony import connections


@pytest.fixture
def fresh_connections() -> Iterator[None]:
    connections._shared.forget()
    yield
    connections.session().close()
    connections._shared.forget()
