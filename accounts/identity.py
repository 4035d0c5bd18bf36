"""Whose token is it? No documented answer says so, hence two ways to learn it; else an administrator decides."""

import logging
import secrets
import time
from datetime import timedelta
from hashlib import sha256

from django.conf import settings
from django.utils import timezone

from accounts.models import Domain, IdentityProbe
from wallboard.telephony import errors, oauth, resources
from wallboard.telephony.client import Client

log = logging.getLogger(__name__)

PROBE_SECONDS = 120  # how long the provider keeps the probe should its deletion fail
SETTLE_SECONDS = 1.0  # a subscription may take a moment to show whom it is for


def extension_of(domain: Domain, token: oauth.Token) -> str:
    """The extension that a fresh token belongs to, empty where the provider does not let us know it for sure."""
    return _named(domain, token) or _probed(domain, token.access_token)


def forget_old_probes() -> None:
    """Drop the addresses of probes that the provider has forgotten as well."""
    IdentityProbe.objects.filter(until__lte=timezone.now()).delete()


def _named(domain: Domain, token: oauth.Token) -> str:
    """The field of the token answer that the domain names; `101@company` counts only for our own company."""
    value = token.fields.get(domain.identity_field, "").strip() if domain.identity_field else ""
    extension, at, company = value.partition("@")
    if at and company.lower() != domain.provider_domain.lower():
        return ""
    return extension if len(extension) <= 64 and extension.isprintable() else ""


def _probed(domain: Domain, access_token: str) -> str:
    """Subscribe with the user's own token, without naming a user, and read back for whom the provider made it."""

    def token(rejected: str | None) -> str:
        if rejected:
            raise errors.NotAuthorized("A token of this second was refused.")
        return access_token

    try:
        users = _users_of_probe(domain, Client(domain.base_url, token))
    except errors.ProviderError as error:
        log.info("Whose sign-in it is could not be learned: %s", error.kind)
        return ""
    return users.pop() if len(users) == 1 else ""


def _users_of_probe(domain: Domain, client: Client) -> set[str]:
    secret = secrets.token_urlsafe(32)
    until = timezone.now() + timedelta(seconds=2 * PROBE_SECONDS)
    IdentityProbe.objects.create(domain=domain, secret_hash=sha256(secret.encode()).hexdigest(), until=until)
    post_uri = f"{settings.PUBLIC_URL}/hooks/{secret}/"
    probe = client.create_subscription(resources.subscription_request(post_uri, PROBE_SECONDS, calls=True))
    try:
        return _users(client, probe.id)
    finally:
        _delete(client, probe.id)


def _users(client: Client, probe_id: str) -> set[str]:
    for pause_seconds in (0.0, SETTLE_SECONDS):
        time.sleep(pause_seconds)
        events = client.read_subscription(probe_id).events
        if users := {event.user for event in events if event.user}:
            return users
    return set()


def _delete(client: Client, probe_id: str) -> None:
    try:
        client.delete_subscription(probe_id)
    except errors.ProviderError as error:
        log.info("An identity probe is left to run out by itself: %s", error.kind)
