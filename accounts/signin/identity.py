"""Whose token is it? No documented answer says so, hence two ways to learn it, which must not contradict each other.

The first is a field of the token answer that the company names, the second a short subscription made with the user's
own token and read back. One of them alone is believed where the other says nothing; where both speak they must name
the same extension of our own company. Whatever is unclear is an administrator's to decide.
"""

import logging
import secrets
import time
from dataclasses import dataclass, field
from datetime import timedelta
from hashlib import sha256

from django.conf import settings
from django.utils import timezone

from accounts.models import Domain, IdentityProbe
from wallboard.telephony import errors, oauth, resources
from wallboard.telephony.client import Client
from wallboard.telephony.user_names import UserName

log = logging.getLogger(__name__)

PROBE_SECONDS = 120  # how long the provider keeps the probe should its deletion fail
SETTLE_SECONDS = 1.0  # a subscription may take a moment to show whom it is for
RETRY_SECONDS = 0.5  # before a probe that failed is tried once more
# What an account goes by, most lasting first.
ACCOUNT_FIELDS = ("sub", "uid", "user_id", "user", "username", "login", "email")
MOST_CHARACTERS = 200


@dataclass(frozen=True)
class Proofs:
    """Whom the provider names for a sign-in: `token_field` and `read_back`, each as `101` or `101@company`, or "".

    `is_ours` says that no name stands with a domain other than the company's. `account` holds what else the token
    answer calls the account, for telling two sign-ins apart that are said to be the same person.
    """

    token_field: str = ""
    read_back: str = ""
    is_ours: bool = True
    account: dict[str, str] = field(default_factory=dict)

    @property
    def extension(self) -> str:
        """The extension that every proof at hand names, "" where there is none, they differ, or one is not ours."""
        named = {text.partition("@")[0] for text in (self.token_field, self.read_back) if text}
        return named.pop() if len(named) == 1 and self.is_ours else ""

    def is_another_account(self, account: dict[str, str]) -> bool:
        """Whether an earlier token answer surely named another account than this one does."""
        name = self._compared_field(account)
        return name != "" and account[name] != self.account[name]

    def is_same_account(self, account: dict[str, str]) -> bool:
        """Whether an earlier token answer surely named the same account."""
        name = self._compared_field(account)
        return name != "" and account[name] == self.account[name]

    def _compared_field(self, account: dict[str, str]) -> str:
        """The most lasting field that both answers have: addresses of e-mail change with a name."""
        return next((name for name in ACCOUNT_FIELDS if name in account and name in self.account), "")


def proofs_of(domain: Domain, token: oauth.Token) -> Proofs:
    """What the provider lets us know about the owner of a fresh token. Asks it once or twice; raises nothing."""
    named, probed = token.user(domain.identity_field), _probed(domain, token.access_token)
    names = [name for name in (named, *probed) if name.user]
    return Proofs(
        _text(named),
        _text(*probed),
        len(probed) < 2 and all(name.is_of(domain.provider_domain) and name.user.isprintable() for name in names),
        {name: token.fields[name][:MOST_CHARACTERS] for name in ACCOUNT_FIELDS if token.fields.get(name)},
    )


def forget_old_probes() -> None:
    """Drop the addresses of probes that the provider has forgotten as well."""
    IdentityProbe.objects.filter(until__lte=timezone.now()).delete()


def _text(*names: UserName) -> str:
    """Names as they are compared and shown; several of them are no proof of any."""
    return ", ".join(str(name) for name in names)[:MOST_CHARACTERS]


def _probed(domain: Domain, access_token: str) -> list[UserName]:
    """Subscribe with the user's own token, without naming a user, and read back for whom the provider made it."""

    def token(rejected: str | None) -> str:
        if rejected:
            raise errors.NotAuthorized("A token of this second was refused.")
        return access_token

    for pause_seconds in (RETRY_SECONDS, 0.0):
        try:
            return _users_of_probe(domain, Client(domain.base_url, token))
        except errors.ProviderError as error:
            log.info("Whose sign-in it is could not be learned: %s", error.kind)
            time.sleep(pause_seconds)
    return []


def _users_of_probe(domain: Domain, client: Client) -> list[UserName]:
    secret = secrets.token_urlsafe(32)
    until = timezone.now() + timedelta(seconds=2 * PROBE_SECONDS)
    # Stored first: the provider may post to that address before it answers.
    IdentityProbe.objects.create(domain=domain, secret_hash=sha256(secret.encode()).hexdigest(), until=until)
    post_uri = f"{settings.PUBLIC_URL}/hooks/{secret}/"
    probe = client.create_subscription(resources.subscription_request(post_uri, PROBE_SECONDS, calls=True))
    try:
        return _users(client, probe.id)
    finally:
        # Left alone it would go on sending this person's calls until it ends.
        _delete(client, probe.id)


def _users(client: Client, probe_id: str) -> list[UserName]:
    for pause_seconds in (0.0, SETTLE_SECONDS):
        time.sleep(pause_seconds)
        names = {event.user_name for event in client.read_subscription(probe_id).events if event.user_name.user}
        if names:
            return sorted(names, key=str)
    return []


def _delete(client: Client, probe_id: str) -> None:
    try:
        client.delete_subscription(probe_id)
    except errors.ProviderError as error:
        log.info("An identity probe is left to run out by itself: %s", error.kind)
