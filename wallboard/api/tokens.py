"""Tokens of programs: made once, recognised by their hash, revoked at once."""

import re
import secrets
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from hashlib import sha256

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from accounts import audit
from accounts.models import Domain, Person, Team
from accounts.signin import rights
from wallboard.api.models import Token
from wallboard.live import control

START = "wbt"  # so that scanners for secrets find a token wherever somebody left it
FORM = re.compile(r"wbt_(?P<prefix>[0-9a-f]{12})_[A-Za-z0-9_-]{43}")
MOST_TOKENS = 100  # of a company at a time
USE_NOTED_EVERY = timedelta(minutes=1)
REVOKED_LISTED = 20


@dataclass(frozen=True)
class TokenInput:
    """What an administrator wants of a token; `queues` are numbers, None for all."""

    name: str
    scopes: tuple[str, ...]
    queues: tuple[str, ...] | None = None
    team: Team | None = None


def make(domain: Domain, wanted: TokenInput, by: Person | None = None) -> tuple[Token, str]:
    """A new token, and its text, which is stored nowhere. Raises ValueError for a team of another company."""
    if wanted.team is not None and wanted.team.domain_id != domain.pk:
        raise ValueError("The team is another company's.")
    prefix = secrets.token_hex(6)
    text = f"{START}_{prefix}_{secrets.token_urlsafe(32)}"
    with transaction.atomic():
        token = Token.objects.create(
            domain=domain,
            name=wanted.name,
            prefix=prefix,
            secret_hash=hash_of(text),
            scopes=sorted(wanted.scopes),
            only_queues=None if wanted.queues is None else sorted(wanted.queues),
            only_team=wanted.team,
            made_by=by,
        )
        audit.log(domain.pk, "API key made", token.name, {"scopes": ["", " ".join(token.scopes)]})
    return token, text


def hash_of(text: str) -> str:
    """What is stored of a token. Its 256 bits are random, so that nothing slower is needed than one SHA-256."""
    return sha256(text.encode()).hexdigest()


def find(text: str) -> Token | None:
    """The token of that text, unless it was revoked or its company is switched off."""
    match = FORM.fullmatch(text)
    return find_hashed(match["prefix"], hash_of(text)) if match else None


def find_hashed(prefix: str, secret_hash: str) -> Token | None:
    """The same by what is stored of it."""
    token = Token.objects.select_related("domain").filter(prefix=prefix).first()
    # Compared even where there is none: how long the answer takes tells nothing.
    is_right = constant_time_compare(token.secret_hash if token else hash_of(""), secret_hash)
    if token is None or not is_right or token.revoked_at is not None or not token.domain.is_active:
        return None
    return token


def note_use(token: Token) -> None:
    """Keep that it was used now; once a minute, as every request comes here."""
    now = timezone.now()
    if token.last_used_at is not None and now - USE_NOTED_EVERY < token.last_used_at <= now:
        return
    Token.objects.filter(pk=token.pk).update(last_used_at=now)


def revoke(token: Token) -> bool:
    """End it: its next request is refused, and its open streams end at once. False where it was revoked before."""
    with transaction.atomic():
        # It keeps no team from being removed any more.
        over = {"revoked_at": timezone.now(), "only_team": None}
        if not Token.objects.filter(pk=token.pk, revoked_at=None).update(**over):
            return False
        audit.log(token.domain_id, "API key revoked", token.name)
        # Where Redis cannot be told, every process reads this within two seconds.
        rights.changed(domain_id=token.domain_id)
        transaction.on_commit(partial(control.close_token, token.pk), robust=True)
    return True


def alive(domain: Domain) -> QuerySet[Token]:
    """The tokens of a company that can be used."""
    return Token.objects.filter(domain=domain, revoked_at=None).select_related("only_team", "made_by")


def revoked(domain: Domain) -> QuerySet[Token]:
    """Those that were revoked last."""
    return Token.objects.filter(~Q(revoked_at=None), domain=domain).order_by("-revoked_at")[:REVOKED_LISTED]
