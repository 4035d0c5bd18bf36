"""The textbook way to tell browsers: one group, a consumer per browser, channels_redis' core layer."""

import os
from typing import Any

from django.conf import settings

settings.configure(
    SECRET_KEY="bench",
    ALLOWED_HOSTS=["*"],
    CHANNEL_LAYERS={
        "default": {
            "BACKEND": "channels_redis.core.RedisChannelLayer",
            # redis-py 8 gives up after 5 s, which is just how long the layer blocks: without this, idle sockets die.
            "CONFIG": {"hosts": [{"address": os.environ["REDIS_URL"], "socket_timeout": 15}]},
        }
    },
)

import django  # noqa: E402

django.setup()

from channels.generic.websocket import AsyncJsonWebsocketConsumer  # noqa: E402
from channels.routing import ProtocolTypeRouter  # noqa: E402
from django.core.asgi import get_asgi_application  # noqa: E402


class Board(AsyncJsonWebsocketConsumer):
    """Joins the group and hands on what is sent to it."""

    async def connect(self) -> None:
        await self.channel_layer.group_add("news", self.channel_name)
        await self.accept()

    async def disconnect(self, code: int) -> None:
        await self.channel_layer.group_discard("news", self.channel_name)

    async def news(self, event: dict[str, Any]) -> None:
        await self.send_json(event["frame"])


application = ProtocolTypeRouter({"http": get_asgi_application(), "websocket": Board.as_asgi()})
