"""What the process that sends through apprise may not do, whatever an address asks of a plugin."""

import json
import subprocess
import sys

import pytest
from urllib3.connection import HTTPConnection

from tests.notifications.channels.receivers import receiving
from wallboard.notifications.channels import apprise_process
from wallboard.notifications.channels.apprise import PROCESS
from wallboard.notifications.channels.apprise_process import Closed, Limits

TRIED = """
import json, runpy, sys
process = runpy.run_path(sys.argv[1])
import os, socket, subprocess
limits = process["Limits"]([])
limits.hold()
try:
    exec(sys.argv[2])
except OSError as error:
    print(limits.refused, type(error).__name__)
else:
    print("done")
"""


@pytest.mark.parametrize(
    ("what", "outcome"),
    [
        ("socket.create_connection(('127.0.0.1', 9))", "network Closed"),
        ("socket.create_connection(('localhost', 9))", "network Closed"),
        ("socket.socket().connect(('localhost', 9))", "network Closed"),
        ("socket.socket(socket.AF_UNIX).connect('/run/some.sock')", "network Closed"),
        ("socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 9))", "closed Closed"),
        ("open('/etc/passwd')", "option Closed"),
        ("open(sys.argv[1])", "option Closed"),
        ("open('/usr/lib/../../etc/passwd')", "option Closed"),
        ("open(os.path.join(sys.prefix, 'new'), 'w')", "option Closed"),
        ("subprocess.run(['true'])", "closed Closed"),
        ("os.system('true')", "closed Closed"),
        ("os.posix_spawn('/bin/true', ['true'], {})", "closed Closed"),
        ("os.remove('/nonexistent')", "closed Closed"),
        ("open('/etc/hosts').close()", "done"),
        ("open(os.__file__).close()", "done"),
    ],
)
def test_an_action_is_kept_from_happening(what: str, outcome: str) -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-B", "-c", TRIED, str(PROCESS), what], capture_output=True, text=True, timeout=60
    )

    assert (done.stdout.strip(), done.stderr) == (outcome, "")


def test_memory_is_bounded() -> None:
    code = "try:\n    bytearray(2 << 30)\nexcept MemoryError:\n    raise OSError"
    done = subprocess.run(
        [sys.executable, "-I", "-B", "-c", TRIED, str(PROCESS), code], capture_output=True, text=True, timeout=60
    )

    assert done.stdout.strip() == "OSError"


def test_without_tls_only_listed_addresses_are_spoken_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HTTPConnection, "connect", HTTPConnection.connect)
    outcomes = []
    with receiving() as receiver:
        for allowed in ([], ["127.0.0.1"]):
            with monkeypatch.context() as patch:
                patch.setattr(HTTPConnection, "connect", HTTPConnection.connect)
                limits = Limits(allowed)
                limits._demand_tls()
                connection = HTTPConnection("127.0.0.1", int(receiver.url.rpartition(":")[2]))
                try:
                    connection.connect()
                except Closed:
                    outcomes.append(limits.refused)
                else:
                    outcomes.append("connected")
                connection.close()

    assert outcomes == ["plain", "connected"]


LISTED = """
import runpy, sys
process = runpy.run_path(sys.argv[1])
from apprise.manager_plugins import NotificationManager
manager = NotificationManager()
manager.load_modules()
known = set().union(*(process["schemas_of"](plugin) for plugin in manager.plugins()))
print(*sorted(set(process["SERVICES"].split()) - known))
"""


def test_every_service_of_the_list_exists_and_none_is_of_this_machine() -> None:
    command = [sys.executable, "-I", "-B", "-W", "ignore", "-c", LISTED, str(PROCESS)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)

    closed = {"mailto", "syslog", "dbus", "gnome", "windows", "smpp", "mqtt", "irc", "xmpp", "vapid"}
    assert done.stdout.split() == []
    assert closed & set(apprise_process.SERVICES.split()) == set()


def test_an_unreadable_job_ends_in_no_answer() -> None:
    done = subprocess.run([sys.executable, "-I", str(PROCESS)], input=b"{", capture_output=True, timeout=60)

    assert done.stdout == b""
    assert done.returncode == 1


def test_an_answer_is_one_line_of_json() -> None:
    job = {"address": "nonsense", "allowed": []}
    done = subprocess.run(
        [sys.executable, "-I", "-B", str(PROCESS)], input=json.dumps(job).encode(), capture_output=True, timeout=60
    )

    assert json.loads(done.stdout)["refused"] == "unknown"
