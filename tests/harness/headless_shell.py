"""Chromium's headless shell, from the npm package that carries it: the browser of the tests."""

import platform
import subprocess

from tests.harness import node

PACKED = node.TOOLS / "@sparticuz/chromium/bin/chromium.br"
UNPACKED = node.TOOLS / ".headless-shell"


def program() -> str:
    """Its path, fetched and unpacked where it is not there yet; "" where it cannot be had or does not run."""
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        return ""
    try:
        node.install()
    except SystemExit as error:
        print(error)
        return ""
    path = str(node.unpacked(PACKED, UNPACKED))
    does_run = subprocess.run([path, "--version"], capture_output=True, check=False).returncode == 0
    return path if does_run else ""  # it is without libraries that Debian's brings (libnss3)
