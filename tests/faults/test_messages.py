"""A worker that dies between the decision and the sending of a message loses none."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.faults.installation import SUPERVISOR, Installation
from tests.harness.mail import odd_server, running_mail_server
from wallboard.demo.processes import Child, procfile

pytestmark = [pytest.mark.faults, pytest.mark.timeout(300)]
RAISE = f"""
from django.utils import timezone
from accounts.models import Domain, Person
from wallboard.alerts import records
from wallboard.alerts.models import Alert
from wallboard.notifications import destinations, routes
from wallboard.notifications.models import Channel
from wallboard.notifications.routes import StepInput
from django.db import transaction
domain = Domain.objects.get()
ana = Person.objects.get(domain=domain, extension="{SUPERVISOR}")
destinations.add(domain, Channel.EMAIL, "ana@example.com", "ana@example.com", ana)
routes.save(domain, dict(name="Floor", level="watch", kinds=["mismatch"]), [StepInput(0, [ana])])
now = timezone.now()
with transaction.atomic():
    records.store(Alert(
        domain=domain, kind="mismatch", subject="", level="watch", worst="watch", began_at=now, raised_at=now,
        facts=dict(queue="Support", available=3, idle=1),
    ))
"""
LAPSE = """
from django.utils import timezone
from wallboard.notifications.models import Delivery
print(Delivery.objects.get().uid.hex, Delivery.objects.get().state)
Delivery.objects.update(leased_until=timezone.now())
"""
STATE = """
from wallboard.notifications.models import Delivery, Route, Destination
from wallboard.alerts.models import Alert
print(Delivery.objects.get().state, Delivery.objects.get().tries)
for model in (Alert, Route, Destination, Delivery):
    model.objects.all().delete()
"""


@contextmanager
def running_worker(site: Installation, port: int) -> Iterator[Child]:
    """The site's worker, with its mail server at this port."""
    mail = {"SMTP_URL": f"smtp://127.0.0.1:{port}", "MAIL_FROM": "wall@example.com"}
    worker = Child("worker-mail", procfile(0)["worker"], site.folder / "worker-mail.log", {**site.env, **mail})
    worker.start()
    try:
        yield worker
    finally:
        worker.kill()
        worker.stop()


def test_a_worker_that_was_killed_while_it_sent_loses_no_message(site: Installation) -> None:
    held = threading.Event()

    def hold(connection: socket.socket) -> None:
        held.set()
        connection.recv(1)  # until the other side is gone

    site.kill("worker")
    with odd_server(hold) as port, running_worker(site, port) as worker:
        site.manage("shell", "-c", RAISE)
        assert held.wait(60), worker.tail()
        worker.kill()
    uid, state = site.manage("shell", "-c", LAPSE).split()[-2:]
    with running_mail_server() as server, running_worker(site, server.port):
        [letter] = server.wait_for(1, 60)
        time.sleep(2)  # a second one would follow at once

    assert state == "waiting"
    assert str(letter.letter["Message-ID"]).startswith(f"<{uid}@")
    assert len(server.taken) == 1
    assert site.manage("shell", "-c", STATE).split()[-2:] == ["sent", "2"]
