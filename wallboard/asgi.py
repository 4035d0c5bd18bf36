"""One ASGI application: pages and webhooks over HTTP, boards and desks over WebSocket."""

import os
import sys
from importlib import import_module

import django
from django.core.exceptions import ImproperlyConfigured

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "wallboard.settings")
try:
    django.setup()
except ImproperlyConfigured as refusal:
    # Whoever starts this has a setting to correct and needs no traceback.
    sys.exit(str(refusal))

# Below, Django must be set up already.
from channels.routing import ProtocolTypeRouter
from channels.sessions import CookieMiddleware
from django.conf import settings
from django.core.asgi import get_asgi_application

from wallboard import body_limits, garbage, metrics
from wallboard.api.streams.asgi_endpoint import EventStreams
from wallboard.api.streams.consumers import ByToken, TokenConsumer
from wallboard.calls.webhooks import starting
from wallboard.calls.webhooks.asgi_endpoint import Hooks
from wallboard.live.graceful_shutdown import GracefulShutdown
from wallboard.live.servers import daphne
from wallboard.sockets.consumers import LiveConsumer
from wallboard.sockets.routing import KnownOrigins, OnlyPath

# Cookies only: sessions are read by hub_runtime, in threads of its own.
sockets = CookieMiddleware(OnlyPath("/live/", LiveConsumer.as_asgi()))  # type: ignore[arg-type]
of_programs = OnlyPath("/live/", TokenConsumer.as_asgi())  # type: ignore[arg-type]
routes = ProtocolTypeRouter(
    {
        # Before Django: no middleware stands between a delivery and its commit.
        "http": Hooks(get_asgi_application(), metrics.count_delivery),
        # Before all else: pages of other sites learn nothing here.
        "websocket": ByToken(of_programs, KnownOrigins(sockets)),  # type: ignore[arg-type]
    }
)
body_limits.bound_daphne()
daphne.settle_in()
starting.start()
# Outermost, as it counts every request that is in hand.
limited = body_limits.BodyLimit(routes)  # type: ignore[arg-type]
application = GracefulShutdown(EventStreams(limited), settings.DRAIN_SECONDS)

# What is loaded stays for good, the pages as well.
import_module(settings.ROOT_URLCONF)
garbage.aside.begin()
