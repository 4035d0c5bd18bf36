"""Chat, SMS gateways and pagers by their address, through the apprise library in a process of its own.

Its plugins open connections by themselves. So each message is sent by a short-lived process (apprise_process.py) that
reaches permitted addresses only, reads no file that an address names, starts no program, and ends after some seconds
whatever the other side does. It knows neither the settings nor the database, and no server process ever loads apprise.
"""

import json
import os
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from accounts.languages.choosing import speaking
from wallboard.notifications import outbound
from wallboard.notifications.channels.outcomes import NotSent
from wallboard.notifications.messages import Message

SECONDS = 25.0
PATIENCE_SECONDS = 5.0
_looking = threading.BoundedSemaphore(2)  # each takes a process of its own, and anybody who signs in may ask for one
MOST_ADDRESS_LENGTH = 1_000
PROCESS = Path(__file__).with_name("apprise_process.py")


@dataclass(frozen=True)
class Service:
    """What an address stands for, as it may be shown: the service's name, and the address with its secrets left out."""

    name: str
    masked: str


class NotUnderstood(ValueError):
    """The address is none that messages may go to; the text says why, for people."""


def recognized(address: str) -> Service:
    """The service that an address stands for; NotUnderstood with the reason where there is none. Sends nothing.

    Raises NotSent where that could not be found out.
    """
    if len(address) > MOST_ADDRESS_LENGTH or not address.isprintable():
        raise NotUnderstood(texts("unknown"))
    if not _looking.acquire(timeout=PATIENCE_SECONDS):
        raise NotSent(_("Too many addresses are being looked at in this moment; try again."))
    try:
        answer = _run({"address": address})
    finally:
        _looking.release()
    if "service" not in answer:
        raise NotUnderstood(texts(answer.get("refused", "unknown")))
    return Service(answer["service"], answer["masked"])


def send(address: str, message: Message) -> str:
    """Send to what this address stands for. Raises NotSent."""
    answer = _run({"address": address, "title": message.title, "text": text_of(message), "level": kind_of(message)})
    if answer.get("is_sent"):
        return _("taken by %(service)s") % {"service": answer["service"]}
    if "refused" in answer:
        raise outbound.Refused(texts(answer["refused"]))
    words = outbound.without(answer.get("words", ""), address)[: outbound.MOST_WORDS]
    raise NotSent(words or _("The message was not taken."))


def text_of(message: Message) -> str:
    """The text with its links, for services that know no buttons."""
    lines = [message.text]
    with speaking(message.language):
        if message.acknowledge_url:
            lines.append(_("Acknowledge: %(url)s") % {"url": message.acknowledge_url})
        lines.append(_("Open: %(url)s") % {"url": message.url})
    return "\n".join(line for line in lines if line)


def kind_of(message: Message) -> str:
    """The kind of message, as apprise names them."""
    if message.is_resolved:
        return "success"
    return {"late": "failure", "watch": "warning"}.get(message.level, "info")


def texts(reason: str) -> str:
    """Why an address is not taken."""
    return {
        "unknown": _("This is no address of a service that is known here."),
        "closed": _("Messages cannot be sent over this service from here."),
        "option": _("The address has an option that is not taken here: verify=no, or the name of a file."),
        "network": _(
            "The address leads to this machine or into a private network, which your operator has not allowed."
        ),
        "plain": _("The address must use the encrypted form of this service, such as ntfys:// instead of ntfy://."),
    }[reason]


def _run(job: dict[str, Any]) -> dict[str, Any]:
    """What the process answers. Its environment is empty: no proxies, no netrc, none of our secrets."""
    job["allowed"] = [str(network) for network in settings.OUTBOUND_ALLOWED_NETWORKS]
    environment = {"LANG": "C.UTF-8", "HOME": "/nonexistent"}
    if authorities := os.environ.get("REQUESTS_CA_BUNDLE"):
        environment["REQUESTS_CA_BUNDLE"] = authorities
    # The address goes in by the standard input: arguments and environments can be read by other users of the machine.
    command = [sys.executable, "-I", "-B", str(PROCESS)]
    try:
        done = subprocess.run(  # noqa: S603
            command, input=json.dumps(job).encode(), capture_output=True, env=environment, timeout=SECONDS, check=False
        )
        answer: dict[str, Any] = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        raise NotSent(_("No whole answer within %(seconds)d seconds.") % {"seconds": SECONDS}) from None
    except ValueError:  # it was ended by one of its limits
        raise NotSent(_("The message was not taken.")) from None
    return answer
