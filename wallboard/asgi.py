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

# Below, Django must be set up already.
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import OriginValidator
from channels.sessions import CookieMiddleware
from django.conf import settings
from django.core.asgi import get_asgi_application
from django.urls import path

from wallboard import metrics
from wallboard.boards.consumers import LiveConsumer
from wallboard.calls.edge import Hooks
from wallboard.live.leaving import Graceful

sockets = URLRouter([path("live/", LiveConsumer.as_asgi())])  # type: ignore[arg-type,list-item]
routes = ProtocolTypeRouter(
    {
        "http": Hooks(get_asgi_application(), metrics.count_delivery),
        "websocket": OriginValidator(CookieMiddleware(sockets), settings.ALLOWED_ORIGINS),
    }
)
application = Graceful(routes)  # type: ignore[arg-type]
