"""Webhooks, signed as Standard Webhooks prescribes: receivers check who sent what, and drop repetitions by id."""

import json
import secrets
import time
from base64 import b64encode
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from django.utils.translation import gettext as _

from wallboard.notifications import outbound
from wallboard.notifications.channels.outcomes import NotSent
from wallboard.notifications.messages import Message

SECONDS = 15.0
SECRET_BYTES = 32
BOTH_VALID_SECONDS = 86_400  # after a change of the secret: time to give the receiver the new one
MOST_OLD_SECRETS = 4
GONE = 410


def new_address(url: str) -> dict[str, Any]:
    """The address of a receiver, with a fresh secret; Refused where the URL cannot be used."""
    outbound.checked(url)
    return {"url": url, "secret": _new_secret()}


def rotated(address: Mapping[str, Any], now: float | None = None) -> dict[str, Any]:
    """The same receiver with a fresh secret; the one before it is valid for another day, and older ones until theirs
    is over.
    """
    at = time.time() if now is None else now
    older = _old_secrets(address, at)[: MOST_OLD_SECRETS - 1]
    before = {"old_secret": address["secret"], "old_until": at + BOTH_VALID_SECONDS}
    # Beside these two, which a process of the release before knows alone.
    return {**address, "secret": _new_secret(), **before, "older_secrets": older}


def send(address: Mapping[str, Any], message: Message) -> str:
    """Post the message to `address["url"]`, signed by every secret that is valid. Raises NotSent."""
    sent_at = datetime.now(UTC)
    body = json.dumps(document(message, sent_at), ensure_ascii=False, separators=(",", ":"))
    return post(address, message.id, body, sent_at)


def post(address: Mapping[str, Any], message_id: str, body: str, sent_at: datetime) -> str:
    """Post a body that is ready; what the receiver said. Raises NotSent."""
    headers = {
        "Content-Type": "application/json; charset=utf-8",
        "webhook-id": message_id,
        "webhook-timestamp": str(int(sent_at.timestamp())),
        "webhook-signature": signatures(address, message_id, sent_at, body),
    }
    answer = outbound.post(address["url"], body.encode(), headers, seconds=SECONDS)
    words = answer.in_words(address["url"], address["secret"])
    if not answer.is_success:
        raise NotSent(words, is_final=answer.status == GONE)
    return words


def document(message: Message, sent_at: datetime) -> dict[str, Any]:
    """What is posted; docs/channels.md describes it."""
    what = "resolved" if message.is_resolved else "raised"
    return {
        "type": f"alerts.{what}" if message.data.get("alerts") else "test",
        "timestamp": sent_at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "data": {
            "title": message.title,
            "text": message.text,
            "url": message.url,
            "acknowledge_url": message.acknowledge_url or None,
            "level": message.level or None,
            **message.data,
        },
    }


def signatures(address: Mapping[str, Any], message_id: str, sent_at: datetime, body: str) -> str:
    """One signature for each secret that is valid now, the newest first."""
    from standardwebhooks import Webhook  # only a process that sends needs it

    valid = [address["secret"], *(old for old, _until in _old_secrets(address, sent_at.timestamp()))]
    return " ".join(Webhook(secret).sign(message_id, sent_at, body) for secret in valid)


def _old_secrets(address: Mapping[str, Any], at: float) -> list[tuple[str, float]]:
    """Those before the present one that are still valid, each with its end, the newest first."""
    stored = [(address.get("old_secret"), address.get("old_until")), *address.get("older_secrets", ())]
    return [(secret, until) for secret, until in stored if secret and at < until]


def _new_secret() -> str:
    return "whsec_" + b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def host_of(address: Mapping[str, Any]) -> str:
    """Where it goes, for people: the rest of the URL may hold secrets."""
    try:
        return outbound.checked(str(address["url"])).origin
    except outbound.Refused:
        return _("an address that cannot be used")
