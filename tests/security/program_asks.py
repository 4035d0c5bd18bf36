"""Sensible requests for the page of tokens and for the API."""

from collections.abc import Callable
from typing import Any

from tests.security.company import Company
from wallboard import matrix
from wallboard.api.models import Token
from wallboard.outgoing.models import Endpoint


def of_programs(company: Company, get: Callable[..., Any], post: Callable[..., Any]) -> dict[str, Any]:
    """Without a token the API tells nobody anything; tests/api has tokens."""
    of_one: dict[str, tuple[Any, ...]] = {
        "api:queue": ("800",),
        "api:samples": ("800",),
        "api:person": ("101",),
        "api:board": (company.board.slug,),
        "api:contact": (1,),
    }
    hearer = Endpoint.objects.get(domain=company.domain).pk
    book = company.domain.synced_books.get().pk
    names = [name for name, audience in matrix.AUDIENCE_OF.items() if audience == "token"]
    return {
        **{name: get(*of_one.get(name, ()), good=(401,)) for name in names},
        "api:openapi": get(),
        "outgoing:webhooks": post(url="https://example.com/", name="new", kinds=["day.ended"], every_queue="1"),
        "outgoing:webhook": post(hearer, name="changed", kinds=["call.missed"], every_queue="1"),
        "carddav:books": post(url="https://cards.example.com/", name="new", username="a", password="b"),
        "carddav:book": post(book, name="changed", username="a"),
        "carddav:act": post(book, do="pause"),
        "configuration:configuration": post(good=(400,)),
        "configuration:download": get(),
        "outgoing:act": post(hearer, do="pause"),
        "api:tokens": post(name="changed", scopes=["queues"], every_queue="1"),
        "api:revoke": post(Token.objects.get(domain=company.domain).pk),
    }
