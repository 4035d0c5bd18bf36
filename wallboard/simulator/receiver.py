"""Prints what is posted to it, a line for each delivery: a webhook for whoever has no program of their own yet.

Run: `python -m wallboard.simulator.receiver [port]`; port 9001 of this machine unless told otherwise.
"""

import sys
from http.server import BaseHTTPRequestHandler, HTTPServer


def say(line: str) -> None:
    """One line of output, at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


class Receiver(BaseHTTPRequestHandler):
    """Answers every POST with 204 after printing its body."""

    def do_POST(self) -> None:
        """One delivery."""
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        say(body.decode(errors="replace"))
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Nothing but the bodies is printed."""


def main(port: int) -> None:
    """Serve until Ctrl-C."""
    say(f"Waiting for deliveries at http://127.0.0.1:{port}/")
    try:
        HTTPServer(("127.0.0.1", port), Receiver).serve_forever()
    except KeyboardInterrupt:
        return


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 9001)
