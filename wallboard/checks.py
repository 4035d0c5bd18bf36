"""What `manage.py check --deploy` says about an installation beside Django's own checks."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Tags, Warning, register


@register(Tags.security, deploy=True)
def proxies(app_configs: Any, **_: Any) -> list[CheckMessage]:
    """With https there is nearly always a proxy, and one that is not counted hides every browser's address."""
    if not settings.IS_HTTPS or settings.TRUSTED_PROXIES:
        return []
    text = "PUBLIC_URL is https and TRUSTED_PROXIES is 0: behind a proxy, all browsers would share its address."
    hint = "Set TRUSTED_PROXIES to the number of reverse proxies. All is well only where this server ends TLS itself."
    return [Warning(text, hint=hint, id="wallboard.W001")]
