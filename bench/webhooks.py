"""What answers POSTs in bench.intake: ours, and what it is compared with; BENCH_VARIANT names the one to serve."""
# ruff: noqa: I001  (Django is set up first)

import json
import os
from collections.abc import Callable
from typing import Any


def textbook_application() -> Any:
    """What one writes first: a sync view with one insert, behind the usual middleware, on Django's own connections."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "wallboard.settings")
    django.setup()

    from django.core.asgi import get_asgi_application
    from django.db import connections
    from django.http import HttpRequest, HttpResponse
    from django.shortcuts import get_object_or_404
    from django.urls import path
    from django.utils import timezone
    from django.views.decorators.csrf import csrf_exempt

    from wallboard import urls
    from wallboard.calls.models import Delivery, Subscription
    from wallboard.calls.webhooks import hook_secrets
    from uuid import uuid4

    connections["default"].settings_dict["OPTIONS"].pop("pool", None)

    @csrf_exempt
    def hook(request: HttpRequest, secret: str) -> HttpResponse:
        subscription = get_object_or_404(Subscription, secret_hash=hook_secrets.hash_of(secret))
        json.loads(request.body)
        Delivery.objects.create(
            identity=uuid4(), subscription=subscription, received_at=timezone.now(), body=request.body.decode()
        )
        return HttpResponse(status=204)

    urls.urlpatterns.insert(0, path("hooks/<secret>/", hook))
    return get_asgi_application()


def undurable() -> Any:
    """Ours, on a database that waits for no disk; SQLite is told so here, PostgreSQL where it is started."""
    from wallboard.asgi import application
    from django.db import connections

    options = connections["default"].settings_dict["OPTIONS"]
    if "init_command" in options:
        options["init_command"] = options["init_command"].replace("synchronous=FULL", "synchronous=OFF")
    return application


def forgetful() -> Any:
    """Ours, but nothing is kept: the answer comes without a transaction."""
    from wallboard.asgi import application
    from wallboard.calls.webhooks import intake

    intake.commit = lambda arrivals, foresee=None: {}
    return application


def ours() -> Any:
    from wallboard.asgi import application

    return application


APPLICATIONS: dict[str, Callable[[], Any]] = {
    "ours": ours,
    "not durable": undurable,
    "textbook": textbook_application,
    "nothing kept": forgetful,
}


if variant := os.environ.get("BENCH_VARIANT"):
    application = APPLICATIONS[variant]()
