"""The static files of pages that Django answered in the test: from a real server, as browsers load them.

To hand each of the eighty files of a page to the browser takes several processes longer than all else of its loading.
"""

import mimetypes
import re
from functools import cache

from django.contrib.staticfiles import finders

from tests.harness.http_server import Quiet

HOST = "testserver"
PREFIX = "/static/"
PAGES = re.compile(rf"^(?!http://{HOST}{PREFIX})")  # what a test answers itself: all but these files


class StaticFiles(Quiet):
    """Answers with the file as it lies in its folder."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        """All in one piece."""
        self.wfile.write(answer(self.path))


@cache
def answer(path: str) -> bytes:
    """The whole answer to a request for that path."""
    name = path.partition("?")[0].removeprefix(PREFIX)
    found = finders.find(name)
    if not isinstance(found, str):
        return b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
    with open(found, "rb") as file:
        body = file.read()
    kind = mimetypes.guess_type(found)[0] or "text/plain"
    return f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
