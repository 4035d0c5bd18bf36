"""The web application with less patience, so that a test sees in seconds what takes half a minute otherwise."""

from wallboard.live import hub
from wallboard.live.servers import interface

hub.STUCK_SECONDS = 3.0
hub.SWEEP_SECONDS = 0.2
interface.BUFFER_LIMIT_BYTES = 16 * 1024

from wallboard.asgi import application as application  # noqa: E402
