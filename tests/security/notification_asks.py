"""One sensible request for every address of the notifications."""

from collections.abc import Callable
from typing import Any

from tests.security.company import Company
from wallboard.alerts.models import Alert
from wallboard.notifications.models import Channel, Destination, Mute, Route

# The keys of the example in RFC 8291.
SUBSCRIPTION = {
    "endpoint": "https://push.example.com/1",
    "keys": {
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg",
    },
}
Make = Callable[..., Callable[[str], Any]]


def of_notifications(company: Company, who: str, get: Make, post: Make) -> dict[str, Callable[[str], Any]]:
    """By the name of the address; `who` decides whose own destination it is about."""
    person = company.people.get(who, company.people["administrator"])
    own = Destination.objects.get(person=person)
    shared = Destination.objects.get(domain=company.domain, person=None, channel=Channel.EMAIL)
    webhook = Destination.objects.get(domain=company.domain, channel=Channel.WEBHOOK)
    route = Route.objects.get(domain=company.domain)
    values = {"name": "changed", "level": "late", "first_people": [person.pk]}
    server = {"host": "mail.example.com", "port": 587, "security": "starttls", "sender": "wall@example.com"}
    return {
        "notifications:mine": get(),
        "reports:mails": post(every="day", hour="7", parts="queues"),
        "reports:edit_mail": post(company.domain.report_mails.get().pk, every="day", hour="8", parts="heat"),
        "reports:change_mail": post(company.domain.report_mails.get().pk, act="send"),
        "notifications:save_choice": post(level="late", is_subscribed="on"),
        "notifications:add_mail": post(address="new@example.com"),
        "notifications:change": post(own.pk, do="remove"),
        "notifications:acknowledge": get("a-wrong-token", good=(404,)),  # tests/notifications has the right ones
        "notifications:confirm": get("a-wrong-token", good=(404,)),
        "notifications:mute": post(queue="800", reason="changed"),
        "notifications:unmute": post(Mute.objects.get(domain=company.domain).pk),
        "notifications:manage": get(),
        "notifications:new_route": post(**values),
        "notifications:route": post(route.pk, **values),
        "notifications:change_route": post(route.pk, do="remove"),
        "notifications:add_company_mail": post(address="new@example.com"),
        "notifications:change_shared": post(shared.pk, do="remove"),
        "notifications:save_server": post(**server),
        "notifications:test_server": post(address="new@example.com"),
        "notifications:add_chat": get(),
        "notifications:add_company_chat": get(),
        "notifications:new_webhook": post(url="https://hooks.example.com/new"),
        "notifications:webhook": post(webhook.pk),
        "notifications:push_worker": get(),
        "notifications:push_key": get(),
        "notifications:push_state": post(endpoint="https://push.example.com/1", is_json=True, good=(200,)),
        "notifications:push_subscribe": post(subscription=SUBSCRIPTION, is_json=True, good=(200,)),
        "notifications:push_end": post(endpoint="https://push.example.com/1", is_json=True, good=(204,)),
    }


def of_alerts(company: Company, get: Callable[..., Any], post: Callable[..., Any]) -> dict[str, Any]:
    """The page of alerts, and what it posts."""
    episode = Alert.objects.get(domain=company.domain)
    return {
        "alerts:alerts": get(),
        "alerts:save_rules": post(**{"all-stays_seconds": "20"}),
        "alerts:save_kinds": post(**{"nobody-stays_seconds": "20"}),
        "alerts:sound": post(on=True, is_json=True, good=(204,)),
        "alerts:acknowledge": post(episode.pk, good=(200,)),
        "replay:alert": get(episode.pk, good=(302,)),
    }
