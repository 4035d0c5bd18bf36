"""Whose token is it? No documented answer says so, hence two ways to learn it, which must not contradict each other.

The first is a field of the token answer that the company names, the second a short subscription made with the user's
own token and read back. One of them alone is believed where the other says nothing; where both speak they must name
the same extension of our own company. Where somebody is linked to that extension already, it is looked whether their
account sees the subscription of this one: providers that keep accounts apart tell so that it is another. Whatever is
unclear is an administrator's to decide.
"""

import logging
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from hashlib import sha256

from django.utils import timezone

from accounts.companies import addresses
from accounts.models import Domain, Grant, IdentityProbe
from accounts.signin import joining
from accounts.tokens.clients import GrantTokenSource
from wallboard.telephony import errors, oauth, resources
from wallboard.telephony.client import Client
from wallboard.telephony.user_names import UserName

log = logging.getLogger(__name__)

PROBE_SECONDS = 120  # how long the provider keeps the probe should its deletion fail
SETTLE_SECONDS = 1.0  # a subscription may take a moment until it is there, and shows whom it is for
RETRY_SECONDS = 0.5  # before a probe that failed is tried once more
# What an account goes by, most lasting first.
ACCOUNT_FIELDS = ("sub", "uid", "user_id", "user", "username", "login", "email")
MOST_CHARACTERS = 200
NO_ANSWER = (errors.Unreachable, errors.RateLimited)  # another time it may be told; anything else is a refusal


@dataclass(frozen=True)
class Proofs:
    """Whom the provider names for a sign-in: `token_field` and `read_back`, each as `101` or `101@company`, or "".

    `is_ours` says that no name stands with a domain other than the company's. `account` holds what else the token
    answer calls the account, for telling two sign-ins apart that are said to be the same person; `is_hidden` says that
    whoever is linked to the named extension cannot see at the provider what this account made there. `is_unanswered`:
    the provider could not be asked, so it may well know.
    """

    token_field: str = ""
    read_back: str = ""
    is_ours: bool = True
    account: dict[str, str] = field(default_factory=dict)
    is_hidden: bool = False
    is_unanswered: bool = False

    @property
    def extension(self) -> str:
        """The extension that every proof at hand names, "" where there is none, they differ, or one is not ours."""
        named = {text.partition("@")[0] for text in (self.token_field, self.read_back) if text}
        return named.pop() if len(named) == 1 and self.is_ours else ""

    def is_another_account(self, account: dict[str, str]) -> bool:
        """Whether this is surely another account than that of an earlier token answer, which has the extension now."""
        name = self._compared_field(account)
        return account[name] != self.account[name] if name else self.is_hidden

    def is_same_account(self, account: dict[str, str]) -> bool:
        """Whether an earlier token answer surely named the same account."""
        name = self._compared_field(account)
        return name != "" and account[name] == self.account[name]

    def _compared_field(self, account: dict[str, str]) -> str:
        """The most lasting field that both answers have: addresses of e-mail change with a name."""
        return next((name for name in ACCOUNT_FIELDS if name in account and name in self.account), "")


@dataclass(frozen=True)
class Probe:
    """For whom the provider made a subscription of the user's own; `is_hidden`: the linked account does not see it.
    `is_unanswered`: it failed at being asked, rather than refused."""

    names: list[UserName] = field(default_factory=list)
    is_hidden: bool = False
    is_unanswered: bool = False


def proofs_of(domain: Domain, token: oauth.Token) -> Proofs:
    """What the provider lets us know about the owner of a fresh token. Asks it once or twice; raises nothing."""
    named = token.user(domain.identity_field)
    probe = _probed(domain, token.access_token, named)
    names = [name for name in (named, *probe.names) if name.user]
    return Proofs(
        _text(named),
        _text(*probe.names),
        len(probe.names) < 2 and all(name.is_of(domain.provider_domain) and may_be_ours(name.user) for name in names),
        {name: token.fields[name][:MOST_CHARACTERS] for name in ACCOUNT_FIELDS if token.fields.get(name)},
        probe.is_hidden,
        probe.is_unanswered,
    )


def forget_old_probes() -> None:
    """Drop the addresses of probes that the provider has forgotten as well."""
    IdentityProbe.objects.filter(until__lte=timezone.now()).delete()


def may_be_ours(user: str) -> bool:
    """Whether a user of the provider may be the person of that name here: some rows have names that no phone has."""
    # Such as whoever had an extension before, with the moment of the hand-over (people.py).
    return user != joining.LOCAL_EXTENSION and user.isprintable() and " until " not in user


def _text(*names: UserName) -> str:
    """Names as they are compared and shown; several of them are no proof of any."""
    return ", ".join(str(name) for name in names)[:MOST_CHARACTERS]


def _probed(domain: Domain, access_token: str, named: UserName) -> Probe:
    """Subscribe with the user's own token, without naming a user, and read back for whom the provider made it."""
    client = Client(domain.base_url, _unreplaced(lambda: access_token))
    is_unanswered = False
    for pause_seconds in (RETRY_SECONDS, 0.0):
        try:
            return _probe(domain, client, named)
        except errors.ProviderError as error:
            log.info("Whose sign-in it is could not be learned: %s", error.kind)
            is_unanswered = isinstance(error, NO_ANSWER)
            time.sleep(pause_seconds)
    return Probe(is_unanswered=is_unanswered)


def _probe(domain: Domain, client: Client, named: UserName) -> Probe:
    secret = secrets.token_urlsafe(32)
    until = timezone.now() + timedelta(seconds=2 * PROBE_SECONDS)
    # Stored first: the provider may post to that address before it answers.
    IdentityProbe.objects.create(domain=domain, secret_hash=sha256(secret.encode()).hexdigest(), until=until)
    post_uri = f"{addresses.of(domain)}/hooks/{secret}/"
    subscription = client.create_subscription(resources.subscription_request(post_uri, PROBE_SECONDS, calls=True))
    try:
        names = _users(client, subscription.id)
        return Probe(
            names, _is_hidden_from_linked(domain, {named.user, *(name.user for name in names)}, subscription.id)
        )
    finally:
        # Left alone it would go on sending this person's calls until it ends.
        _delete(client, subscription.id)


def _is_hidden_from_linked(domain: Domain, extensions: set[str], subscription_id: str) -> bool:
    """Whether the account linked to one of these extensions is not shown the subscription that this account made.

    A provider that shows everybody all of the company's says nothing by that, nor does one that fails.
    """
    linked = Grant.objects.filter(domain=domain, user__person__extension__in=extensions - {""}, refused_at=None)
    if (grant := linked.select_related("domain").first()) is None:
        return False
    try:
        Client(domain.base_url, _unreplaced(GrantTokenSource(grant))).read_subscription(subscription_id)
    except (errors.NotFound, errors.Forbidden):
        return True
    except errors.ProviderError as error:
        log.info("Whether it is another account could not be learned: %s", error.kind)
    return False


def _unreplaced(token: Callable[[], str]) -> Callable[[str | None], str]:
    """A source of a token that is as new as any: where it is refused, none is asked for in its place."""

    def source(rejected: str | None) -> str:
        if rejected:
            raise errors.NotAuthorized("A token of this second was refused.")
        return token()

    return source


def _users(client: Client, probe_id: str) -> list[UserName]:
    reads = 0
    for pause_seconds in (0.0, *[SETTLE_SECONDS] * 3):
        time.sleep(pause_seconds)
        # It was made a moment ago: where it is not found it is still being set up.
        with suppress(errors.NotFound):
            events = client.read_subscription(probe_id).events
            reads += 1
            if (names := {event.user_name for event in events if event.user_name.user}) or reads > 1:
                return sorted(names, key=str)
    return []


def _delete(client: Client, probe_id: str) -> None:
    try:
        client.delete_subscription(probe_id)
    except errors.ProviderError as error:
        log.info("An identity probe is left to run out by itself: %s", error.kind)
