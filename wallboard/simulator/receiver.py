"""Prints what is posted to it, a line for each delivery: a webhook for whoever has no program of their own yet.

Run: `python -m wallboard.simulator.receiver [port]`; port 9001 of this machine unless told otherwise.
"""

import sys
from http.server import BaseHTTPRequestHandler, HTTPServer


def print_line(line: str) -> None:
    """Print one line, at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


class Receiver(BaseHTTPRequestHandler):
    """Answers a POST with 204 after printing its body, and with 411 where it does not say how long that is."""

    def do_POST(self) -> None:
        """One delivery."""
        length = self.headers.get("Content-Length", "")
        is_good = length.isascii() and length.isdigit() and len(length) < 10
        if is_good:
            print_line(self.rfile.read(int(length)).decode(errors="replace"))
        self.send_response(204 if is_good else 411)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Nothing but the bodies is printed."""


def main(port: int) -> None:
    """Serve until Ctrl-C."""
    print_line(f"Waiting for deliveries at http://127.0.0.1:{port}/")
    try:
        HTTPServer(("127.0.0.1", port), Receiver).serve_forever()
    except KeyboardInterrupt:
        return


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 9001)
