"""nginx with docs/nginx.conf before web processes of a test, over plain HTTP."""

import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from wallboard.demo.processes import BASE_DIR, Child, free_port

FRAME = "daemon off;\nmaster_process off;\nerror_log stderr;\npid %s/pid;\nevents {}\nhttp {\n%s\n%s\n}\n"
TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
FIRST, SECOND = "server 127.0.0.1:8000 max_fails=0;", "# server 127.0.0.1:8001 max_fails=0;"


def program() -> str | None:
    """Where nginx is installed."""
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")


def configuration(folder: Path, port: int, web_ports: Sequence[int]) -> str:
    """The documented one with the ports and folders of a test, for one web process or two, and without TLS."""
    text = (BASE_DIR / "docs" / "nginx.conf").read_text()
    changes = {
        "listen 443 ssl": f"listen 127.0.0.1:{port}",
        "listen 80;": f"listen 127.0.0.1:{free_port()};",
        **dict(zip((FIRST, SECOND), (f"server 127.0.0.1:{each} max_fails=0;" for each in web_ports), strict=False)),
        "/var/log/nginx": str(folder),
    }
    for documented, ours in changes.items():
        assert documented in text
        text = text.replace(documented, ours)
    text = re.sub(r"\n *ssl_certificate.*", "", text)
    return FRAME % (folder, "\n".join(f"{name}_temp_path {folder}/{name};" for name in TEMPORARY), text)


@contextmanager
def running(folder: Path, port: int, web_ports: Sequence[int]) -> Iterator[Child]:
    """The proxy; its logs are in the folder."""
    (folder / "nginx.conf").write_text(configuration(folder, port, web_ports))
    command = [str(program()), "-p", str(folder), "-e", "stderr", "-c", str(folder / "nginx.conf")]
    child = Child("nginx", command, folder / "nginx.log", cwd=folder)
    child.start()
    try:
        yield child
    finally:
        child.stop()
