"""Web Push: a message to one browser, encrypted for it alone (RFC 8291) and signed (RFC 8292), by its push service."""

import json
import os
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from django.utils.translation import gettext as _

from accounts.companies import public_address
from accounts.languages.choosing import speaking
from wallboard.notifications import outbound, push_keys
from wallboard.notifications.channels.outcomes import NotSent
from wallboard.notifications.messages import Message

TTL_SECONDS = 3_600  # an alert that is older helps nobody
TOKEN_SECONDS = 6 * 3_600
MOST_BYTES = 3_900  # push services take 4,096, of which encryption needs 103
GONE = (404, 410)
POINT_BYTES, AUTH_BYTES = 65, 16


class BadSubscription(ValueError):
    """What a browser sent is no subscription."""


def address_from(subscription: Any) -> dict[str, str]:
    """What PushSubscription.toJSON() gives, checked: BadSubscription, or Refused for an address that cannot be used."""
    try:
        endpoint, keys = subscription["endpoint"], subscription["keys"]
        address = {"endpoint": endpoint, "p256dh": keys["p256dh"], "auth": keys["auth"]}
        _public_key(address["p256dh"])
        is_whole = isinstance(endpoint, str) and len(_decoded(address["auth"])) == AUTH_BYTES
    except (KeyError, TypeError, ValueError, AttributeError):
        raise BadSubscription from None
    if not is_whole:
        raise BadSubscription
    outbound.checked(endpoint)
    return address


def send(address: Mapping[str, Any], message: Message) -> str:
    """Hand the message to the push service of `address["endpoint"]`. Raises NotSent, final where it is given up."""
    endpoint = str(address["endpoint"])
    headers = {
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "TTL": str(TTL_SECONDS),
        "Urgency": "high" if message.level == "late" and not message.is_resolved else "normal",
        "Topic": topic(message),
        "Authorization": authorization(endpoint),
    }
    answer = outbound.post(endpoint, encrypted(payload(message), address), headers)
    host = urlsplit(endpoint).hostname
    if answer.status in GONE:
        raise NotSent(_("The browser has given up this subscription."), is_final=True)
    if not answer.is_success:
        words = answer.in_words(endpoint, str(address["auth"]), str(address["p256dh"]))
        raise NotSent(_("%(host)s answers: %(words)s") % {"host": host, "words": words})
    return _("taken by %(host)s") % {"host": host}


def topic(message: Message) -> str:
    """One name for all messages about the same alerts: the newest replaces what the browser has not shown yet."""
    alerts = sorted(str(each.get("id")) for each in message.data.get("alerts", ()))
    return _encoded(sha256("/".join(alerts or [message.id]).encode()).digest()[:18])


def payload(message: Message) -> bytes:
    """What the service worker reads (static/js/pages/push-worker.js), within what push services take."""
    text = message.text
    whole = _content(message, text)
    while len(whole) > MOST_BYTES and text:
        text = text[: len(text) * 4 // 5]
        whole = _content(message, f"{text.rstrip()} …")
    return whole


def _content(message: Message, text: str) -> bytes:
    with speaking(message.language):
        acknowledge = _("Acknowledge")
    content = {
        "id": message.id,
        "title": message.title,
        "text": text,
        "url": message.url,
        "acknowledge_url": message.acknowledge_url,
        "acknowledge_text": acknowledge,
        "language": message.language,
        "level": message.level,
        "is_resolved": message.is_resolved,
        "tag": topic(message),
        "alerts": [each.get("id") for each in message.data.get("alerts", ())][:100],
    }
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()


def encrypted(content: bytes, address: Mapping[str, Any]) -> bytes:
    """The content as only this browser can read it."""
    import http_ece  # only a process that sends needs it

    return bytes(
        http_ece.encrypt(
            content,
            salt=os.urandom(16),
            private_key=ec.generate_private_key(ec.SECP256R1()),
            dh=_public_key(address["p256dh"]),
            auth_secret=_decoded(address["auth"]),
            version="aes128gcm",
        )
    )


def authorization(endpoint: str) -> str:
    """The header that says which installation sends, signed for this push service and for some hours."""
    from py_vapid import Vapid02

    # Whom the push service may write to; it takes no name of a machine, which only a trial installation has.
    site = public_address.parts()
    contact = f"https://{site.hostname}" if site.scheme == "https" else "mailto:wallboard@localhost"
    claims = {"aud": outbound.checked(endpoint).origin, "exp": int(time.time()) + TOKEN_SECONDS, "sub": contact}
    signer = Vapid02(push_keys.private_key(), conf={"no-strict": True})
    return str(signer.sign(claims)["Authorization"])


def _public_key(text: str) -> ec.EllipticCurvePublicKey:
    point = _decoded(text)
    if len(point) != POINT_BYTES:
        raise ValueError("no uncompressed point")
    return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)


def _decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _encoded(content: bytes) -> str:
    return urlsafe_b64encode(content).rstrip(b"=").decode()
