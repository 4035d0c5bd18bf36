"""The site for a machine that asks hundreds of times a second: without the limit per minute, else all as it is."""

from accounts.signin.start_throttle import StartThrottle
from wallboard.api import pacing
from wallboard.asgi import application as application

pacing.REQUESTS_PER_MINUTE = 1_000_000
pacing.wrong_tokens = StartThrottle(1_000_000)
