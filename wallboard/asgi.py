"""One ASGI application: pages and webhooks over HTTP, boards and desks over WebSocket."""

import os
import sys

import django
from django.core.exceptions import ImproperlyConfigured

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "wallboard.settings")
try:
    django.setup()
except ImproperlyConfigured as refusal:
    sys.exit(str(refusal))

from channels.auth import AuthMiddlewareStack  # noqa: E402  (Django must be set up first)
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.security.websocket import OriginValidator  # noqa: E402
from django.conf import settings  # noqa: E402
from django.core.asgi import get_asgi_application  # noqa: E402
from django.urls import path  # noqa: E402

from wallboard.boards.consumers import LiveConsumer  # noqa: E402

sockets = URLRouter([path("live/", LiveConsumer.as_asgi())])  # type: ignore[arg-type,list-item]
application = ProtocolTypeRouter(
    {
        "http": get_asgi_application(),
        "websocket": OriginValidator(AuthMiddlewareStack(sockets), settings.ALLOWED_ORIGINS),
    }
)
