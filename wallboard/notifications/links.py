"""Links in messages: signed, about one message, and good for as long as one of its alerts is open."""

from collections.abc import Sequence
from uuid import UUID

from django.core import signing
from django.urls import reverse

from accounts.companies import addresses
from accounts.models import Domain
from wallboard.alerts.models import Alert
from wallboard.notifications.models import Delivery, Notice

SALT = "wallboard.notifications.acknowledge"


def acknowledge_url(uid: UUID, domain: Domain) -> str:
    """The page that acknowledges what this delivery of the company tells of."""
    token = signing.Signer(salt=SALT).sign(uid.hex)
    return addresses.of(domain) + reverse("notifications:acknowledge", args=[token])


def delivery_of(token: str) -> Delivery | None:
    """The delivery that a link came with; None for a link that we did not sign, or that has been forgotten."""
    try:
        uid = UUID(signing.Signer(salt=SALT).unsign(token))
    except (signing.BadSignature, ValueError):
        return None
    return Delivery.objects.select_related("person__user", "destination", "domain").filter(uid=uid).first()


def alerts_of(delivery: Delivery) -> Sequence[Alert]:
    """The alerts that it told of, the open ones first."""
    ids = Notice.objects.filter(batch__in=[str(delivery.batch), *delivery.earlier]).values("alert_id")
    alerts = Alert.objects.filter(pk__in=ids, domain_id=delivery.domain_id).select_related("queue")
    return sorted(alerts, key=lambda each: (each.ended_at is not None, each.acknowledged_at is not None, each.pk))
