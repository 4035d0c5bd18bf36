"""nginx with nchan as a yardstick: WebSockets served in C, one worker on the server's core, nothing kept durably."""

import os
import shutil
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.machine import SERVER_CORE, pinned
from wallboard.demo.processes import Child, free_port, wait_until

MODULES = ("/usr/lib/nginx/modules", "/usr/lib64/nginx/modules", "/usr/local/lib/nginx/modules")
TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


def module() -> Path | None:
    """Where nchan is installed; None where it or nginx is not (Debian: nginx-light libnginx-mod-nchan)."""
    found = next((path for place in MODULES if (path := Path(place) / "ngx_nchan_module.so").exists()), None)
    return found if program() else None


def program() -> str | None:
    """Where nginx is installed."""
    return shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")


def configuration(folder: Path, nchan: Path, port: int) -> str:
    """One channel: POST /pub goes to every WebSocket at /sub."""
    places = "\n  ".join(f"{name}_temp_path {folder}/{name};" for name in TEMPORARY)
    return f"""
load_module {nchan};
{"" if os.geteuid() else "user root;"}
daemon off;
worker_processes 1;
worker_rlimit_nofile 20000;
pid {folder}/nginx.pid;
error_log {folder}/nginx-error.log warn;
events {{ worker_connections 8192; }}
http {{
  access_log off;
  keepalive_requests 1000000;
  tcp_nodelay on;
  {places}
  server {{
    listen 127.0.0.1:{port};
    location = /pub {{ nchan_publisher; nchan_channel_id news; nchan_message_buffer_length 20; }}
    location = /sub {{ nchan_subscriber websocket; nchan_channel_id news; nchan_subscriber_first_message newest; }}
  }}
}}
"""


@contextmanager
def running_nchan(folder: Path) -> Iterator[tuple[int, int] | None]:
    """The port and the process id of a running server; None where nginx with nchan is not installed."""
    nchan, nginx = module(), program()
    if nchan is None or nginx is None:
        yield None
        return
    port = free_port()
    file = folder / "nginx.conf"
    file.write_text(configuration(folder, nchan, port))
    command = [nginx, "-p", str(folder), "-e", str(folder / "nginx-error.log"), "-c", str(file)]
    child = Child("nginx", command, folder / "nginx.log", stop_signal=signal.SIGTERM)
    with pinned(SERVER_CORE):
        child.start()
    try:
        assert wait_until(lambda: is_open(port), 10), child.tail()
        yield port, child.pid
    finally:
        child.stop()


def is_open(port: int) -> bool:
    """Whether somebody listens there."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
