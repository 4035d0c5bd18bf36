"""Asks a company's own program for the record of a caller: signed, within half a second, and kept for some minutes.

Asked by the web process when a card is shown. Nothing else waits for it, and what goes wrong stands on the page of
the setting, never on a card.
"""

import hashlib
import json
import secrets
from base64 import b64encode
from datetime import UTC, datetime, timedelta
from uuid import uuid4

from django.core.cache import cache
from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit
from accounts.encryption import sealed
from accounts.models import Domain
from wallboard.notifications import outbound
from wallboard.notifications.channels import webhooks
from wallboard.notifications.channels.outcomes import NotSent
from wallboard.setup.callers.answers import BadAnswer, Record, parsed
from wallboard.setup.models import CallerSource

SECONDS = 0.5
KEPT_SECONDS = 300  # also that nothing is known
REST_SECONDS = 10  # after a failure: a program that hangs is not asked by every card
TOLD_EVERY = timedelta(minutes=1)
UNKNOWN = (204, 404)


class Failed(Exception):
    """There is no answer that can be shown; the text says why."""


def source_of(domain: Domain) -> CallerSource | None:
    """The company's setting."""
    return CallerSource.objects.filter(domain=domain).first()


def origin_of(source: CallerSource) -> str:
    """Where it is asked, for people; "" where such an address is refused by now."""
    try:
        return outbound.checked(source.url.open()).origin
    except outbound.Refused:
        return ""


def save(domain: Domain, url: str, *, is_on: bool, new_secret: bool = False) -> tuple[CallerSource, str]:
    """Keep the setting; gives its secret where that is new, which is not shown again. Raises outbound.Refused."""
    origin = outbound.checked(url).origin
    source = source_of(domain) or CallerSource(domain=domain, version=0)
    # Another receiver must not learn the secret of the one before.
    is_new = new_secret or not source.secret or origin_of(source) != origin
    secret = "whsec_" + b64encode(secrets.token_bytes(webhooks.SECRET_BYTES)).decode() if is_new else ""
    before = {"on": source.is_on} if source.pk else {}
    with transaction.atomic():
        source.url, source.is_on, source.version = sealed(url), is_on, source.version + 1
        source.secret = sealed(secret) if is_new else source.secret
        source.is_failing, source.outcome, source.asked_at = False, "", None
        source.save()
        changes = audit.differences(before, {"on": is_on}) | ({"secret": ["", "new"]} if is_new else {})
        audit.log(domain.pk, "caller records changed", origin, changes)
    return source, secret


def record_of(domain_id: int, number: str, extension: str) -> Record | None:
    """What the company's program knows of this number (E.164); None where it knows nothing, or does not say."""
    source = CallerSource.objects.filter(domain_id=domain_id, is_on=True).first()
    if source is None or not number:
        return None
    digest = hashlib.sha256(number.encode()).hexdigest()
    key, resting = f"caller-record-{source.pk}-{source.version}-{digest}", f"caller-record-rest-{source.pk}"
    if (kept := cache.get(key)) is not None:
        return _shown(kept)
    if cache.get(resting):
        return None
    if not connection.in_atomic_block:
        connection.close()  # nobody waits for a connection that only waits
    try:
        record = ask(source, number, extension)
    except Failed as failure:
        cache.set(resting, True, REST_SECONDS)
        tell(source, str(failure))
        return None
    cache.set(key, record, KEPT_SECONDS)
    tell(source, "")
    return _shown(record)


def _shown(record: Record) -> Record | None:
    return None if record.is_empty else record


def ask(source: CallerSource, number: str, extension: str) -> Record:
    """The answer of the company's program, an empty one where it knows nothing. Raises Failed."""
    url, secret = source.url.open(), source.secret.open()
    sent_at, name = datetime.now(UTC), f"msg_{uuid4().hex}"
    document = {
        "type": "caller.lookup",
        "timestamp": sent_at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "data": {"number": number, "extension": extension},
    }
    body = json.dumps(document, separators=(",", ":"))
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json",
        "webhook-id": name,
        "webhook-timestamp": str(int(sent_at.timestamp())),
        "webhook-signature": webhooks.signatures({"secret": secret}, name, sent_at, body),
    }
    try:
        answer = outbound.post(url, body.encode(), headers, seconds=SECONDS)
    except outbound.Refused as refusal:
        raise Failed(str(refusal)) from refusal
    except NotSent as failure:
        raise Failed(_("No whole answer within half a second: %(why)s") % {"why": failure}) from failure
    if answer.status in UNKNOWN:
        return Record()
    if not answer.is_success:
        raise Failed(_("The address answered %(words)s") % {"words": answer.in_words(url, secret)})
    try:
        return parsed(answer.body)
    except BadAnswer as error:
        raise Failed(str(error)) from error


def tell(source: CallerSource, failure: str) -> None:
    """Keep how it went, for the page of the setting; once a minute where nothing changed."""
    now = timezone.now()
    is_news = bool(failure) != source.is_failing or failure != source.outcome
    if is_news or source.asked_at is None or now - source.asked_at > TOLD_EVERY:
        found = CallerSource.objects.filter(pk=source.pk, version=source.version)
        found.update(asked_at=now, is_failing=bool(failure), outcome=failure[:300])
