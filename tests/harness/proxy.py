"""nginx with docs/nginx.conf, or Caddy with deploy/Caddyfile, before web processes of a test; mostly without TLS."""

import os
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from wallboard.demo.processes import BASE_DIR, Child, free_port

FRAME = "daemon off;\nmaster_process off;\nerror_log stderr;\npid %s/pid;\nevents {}\nhttp {\n%s\n%s\n}\n"
TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
KINDS = ("nginx", "caddy")
PACKAGES = {"nginx": "nginx-light", "caddy": "caddy"}
FIRST, SECOND = "server 127.0.0.1:8000 max_fails=0;", "server 127.0.0.1:8001 max_fails=0 backup;"


def program(kind: str = "nginx") -> str | None:
    """Where nginx or Caddy is installed."""
    return shutil.which(kind) or shutil.which(kind, path="/usr/sbin")


def configuration(folder: Path, port: int, web_ports: Sequence[int], pair: Path | None = None) -> str:
    """The documented one with the ports and folders of a test, for one web process or two.

    Without TLS, or with cert.pem and key.pem of that folder.
    """
    text = (BASE_DIR / "docs" / "nginx.conf").read_text()
    changes = {
        "listen 443 ssl http2;": f"listen 127.0.0.1:{port}{' ssl http2' if pair else ''};",
        "listen 80;": f"listen 127.0.0.1:{free_port()};",
        **dict.fromkeys((FIRST, SECOND)[len(web_ports) :], ""),
        **{
            each: each.replace(f":800{number}", f":{web_port}")
            for number, (each, web_port) in enumerate(zip((FIRST, SECOND), web_ports, strict=False))
        },
        "/var/log/nginx": str(folder),
    }
    for documented, ours in changes.items():
        assert documented in text
        text = text.replace(documented, ours)
    chosen = f"\n    ssl_certificate {pair}/cert.pem;\n    ssl_certificate_key {pair}/key.pem;" if pair else ""
    text = re.sub(r"(\n *ssl_certificate.*)+", chosen, text)
    return FRAME % (folder, "\n".join(f"{name}_temp_path {folder}/{name};" for name in TEMPORARY), text)


def caddyfile(port: int, web_ports: Sequence[int]) -> str:
    """The documented one with the ports of a test, and without TLS."""
    text = (BASE_DIR / "deploy" / "Caddyfile").read_text()
    changes = {
        "{\n": f"{{\n\tadmin off\n\tauto_https off\n\tdefault_bind 127.0.0.1\n\thttp_port {port}\n",
        "\nwallboard.example.com {": f"\nhttp://127.0.0.1:{port} {{",
        "127.0.0.1:8000 127.0.0.1:8001": " ".join(f"127.0.0.1:{each}" for each in web_ports),
    }
    for documented, ours in changes.items():
        assert documented in text
        text = text.replace(documented, ours, 1)
    return text


@contextmanager
def running(
    folder: Path, port: int, web_ports: Sequence[int], kind: str = "nginx", pair: Path | None = None
) -> Iterator[Child]:
    """The proxy; its logs are in the folder. nginx speaks TLS where `pair` has a certificate for it."""
    path, env = folder / f"{kind}.conf", None
    if kind == "nginx":
        path.write_text(configuration(folder, port, web_ports, pair))
        options = ["-p", str(folder), "-e", "stderr", "-c", str(path)]
    else:
        path.write_text(caddyfile(port, web_ports))
        options = ["run", "--config", str(path), "--adapter", "caddyfile"]
        env = os.environ | {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    child = Child(kind, [str(program(kind)), *options], folder / f"{kind}.log", env, cwd=folder)
    child.start()
    try:
        yield child
    finally:
        child.stop()
