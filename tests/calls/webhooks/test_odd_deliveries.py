"""What is odd in a delivery is applied as far as it makes sense, and told as a problem."""

import json

from tests.calls.events import event, record
from wallboard.calls.models import Delivery, Leg, Record, Subscription
from wallboard.calls.webhooks import intake, receive
from wallboard.calls.webhooks.hook_secrets import HookTarget

BODY = event("ringing")


def take(subscription: Subscription, *bodies: bytes) -> None:
    target = HookTarget(subscription.pk, subscription.domain_id)
    intake.commit([receive.arrival_of(target, body) for body in bodies])


def test_a_name_that_is_no_text_and_a_huge_id_are_applied_and_told(subscription: Subscription) -> None:
    names = [BODY.replace(b"Ana Lima", odd) for odd in (b"Ana \\ud800", b"Ana \xff")]
    take(subscription, *names, BODY.replace(b'"c1"', b'"' + b"x" * 5000 + b'"'))

    problems = list(Delivery.objects.order_by("pk").values_list("problem", flat=True))
    assert problems == ["from.name: not Unicode", "from.name: not Unicode", "from.call_id: 5000 characters"]
    assert (Delivery.objects.filter(applied_at=None).count(), Leg.objects.count()) == (0, 2)


def test_more_than_a_thousand_records_in_one_message_are_taken(subscription: Subscription) -> None:
    one = json.loads(record())[0]
    body = json.dumps([one | {"to": {**one["to"], "call_id": f"l{number}"}} for number in range(1100)]).encode()
    assert 65_536 < len(body) < receive.MOST_BYTES

    take(subscription, body)

    assert Record.objects.count() == 1100
