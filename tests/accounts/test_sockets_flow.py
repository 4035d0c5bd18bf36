"""What ends a session ends its open sockets, in a whole installation of real processes."""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from urllib.parse import urlsplit

import pytest
import requests
from websockets import Origin
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.harness.site import Site

pytestmark = [pytest.mark.flow, pytest.mark.one_database]
SIGNED_OUT = 4401


@pytest.fixture
def sockets() -> Iterator[ExitStack]:
    """Closes what the test leaves open."""
    with ExitStack() as stack:
        yield stack


class Person:
    """Somebody at a browser that keeps its cookies."""

    def __init__(self, site: Site, extension: str) -> None:
        self.site, self.session = site, requests.Session()
        start = f"{site.url}/accounts/login/start/?domain=main"
        away = self.session.get(start, allow_redirects=False, timeout=10).headers["Location"]
        back = requests.post(away, data={"extension": extension}, allow_redirects=False, timeout=10)
        answer = self.session.get(back.headers["Location"], allow_redirects=False, timeout=30)
        assert answer.status_code == 302, answer.text

    def open_desk(self, sockets: ExitStack) -> ClientConnection:
        """An open socket that has got its first frame."""
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.session.cookies)
        address = f"ws://{urlsplit(self.site.url).netloc}/live/?desk=1"
        opening = connect(address, additional_headers={"Cookie": cookies}, origin=Origin(self.site.url))
        socket = sockets.enter_context(opening)
        assert socket.recv(timeout=10)
        return socket

    def post(self, path: str, **form: str) -> int:
        """Send a form as a page of ours does."""
        self.session.get(f"{self.site.url}/accounts/", timeout=10)
        token = self.session.cookies.get("csrftoken", "")
        answer = self.session.post(
            f"{self.site.url}{path}",
            form | {"csrfmiddlewaretoken": token},
            headers={"Referer": self.site.url},
            timeout=10,
        )
        return answer.status_code


def close_code(socket: ClientConnection, seconds: float = 5) -> int | None:
    """With which code the server closed the socket; None where it is still open after so long."""
    end = time.monotonic() + seconds
    try:
        while (left := end - time.monotonic()) > 0:
            socket.recv(timeout=left)
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else 1006
    except TimeoutError:
        pass
    return None


def test_signing_out_ends_the_sockets_of_that_browser(site: Site, sockets: ExitStack) -> None:
    here, elsewhere = Person(site, "101"), Person(site, "101")
    open_pages = [here.open_desk(sockets) for _ in range(3)]

    assert here.post("/accounts/logout/") == 200

    assert [close_code(socket) for socket in open_pages] == [SIGNED_OUT] * 3
    assert close_code(elsewhere.open_desk(sockets), 1) is None


def test_signing_out_everywhere_ends_all_sockets(site: Site, sockets: ExitStack) -> None:
    here, elsewhere = Person(site, "102"), Person(site, "102")
    open_pages = [here.open_desk(sockets), elsewhere.open_desk(sockets)]

    assert here.post("/accounts/logout/everywhere/") == 200

    assert [close_code(socket) for socket in open_pages] == [SIGNED_OUT] * 2


def test_changed_role_makes_open_pages_connect_again(site: Site, sockets: ExitStack) -> None:
    person = Person(site, "103")
    socket = person.open_desk(sockets)

    site.manage("person", "103", "--role", "supervisor")

    assert close_code(socket) not in (None, SIGNED_OUT)
    assert person.open_desk(sockets)


def test_refused_refresh_ends_the_sockets(site: Site, sockets: ExitStack) -> None:
    person = Person(site, "104")
    socket = person.open_desk(sockets)
    script = (
        "from accounts.tokens import clients; from accounts.models import Grant; "
        "clients.refuse(Grant.objects.get(user__person__extension='104'))"
    )

    site.manage("shell", "-c", script)

    assert close_code(socket) == SIGNED_OUT
