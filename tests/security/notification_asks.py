"""One sensible request for every address of the notifications."""

from collections.abc import Callable
from typing import Any

from tests.security.company import Company
from wallboard.notifications.models import Destination, Mute, Route

Make = Callable[..., Callable[[str], Any]]


def of_notifications(company: Company, who: str, get: Make, post: Make) -> dict[str, Callable[[str], Any]]:
    """By the name of the address; `who` decides whose own destination it is about."""
    person = company.people.get(who, company.people["administrator"])
    own = Destination.objects.get(person=person)
    shared = Destination.objects.get(domain=company.domain, person=None)
    route = Route.objects.get(domain=company.domain)
    values = {"name": "changed", "level": "late", "first_people": [person.pk]}
    server = {"host": "mail.example.com", "port": 587, "security": "starttls", "sender": "wall@example.com"}
    return {
        "notifications:mine": get(),
        "notifications:save_choice": post(level="late", is_subscribed="on"),
        "notifications:add_mail": post(address="new@example.com"),
        "notifications:change": post(own.pk, do="remove"),
        "notifications:acknowledge": get("a-wrong-token", good=(404,)),  # tests/notifications has the right ones
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
    }
