"""Embed links: made once, recognised by the hash of their token, revoked at once."""

import secrets
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts import audit
from accounts.companies import addresses
from accounts.languages import choosing
from accounts.models import Domain, Person
from accounts.signin import rights
from wallboard.boards import layout as layouts
from wallboard.boards.cards.kinds import KINDS
from wallboard.boards.models import Board
from wallboard.live import control
from wallboard.screens.embeds import scope as scopes
from wallboard.screens.embeds.scope import Scope
from wallboard.screens.models import Embed
from wallboard.screens.screens import digest

MOST_LINKS = 100  # of a company at a time
SEEN_NOTED_EVERY = timedelta(minutes=1)


@dataclass(frozen=True)
class EmbedInput:
    """What somebody wants of a link; `card` is "" for the whole board, `theme` and `language` for the board's."""

    name: str
    board: Board
    card: str
    origins: tuple[str, ...]
    theme: str = ""
    language: str = ""
    shows_numbers: bool = False


def make(domain: Domain, wanted: EmbedInput, by: Person | None = None) -> tuple[Embed, str]:
    """A new link and its token, which is stored nowhere. Raises ValueError for another company's board."""
    if wanted.board.domain_id != domain.pk:
        raise ValueError("a link shows boards of its own company only")
    token = secrets.token_urlsafe(32)
    values = {**vars(wanted), "origins": list(wanted.origins)}
    with transaction.atomic():
        embed = Embed.objects.create(domain=domain, token_hash=digest(token), created_by=by, **values)
        told = {"shows": [None, f"{wanted.board.slug} {wanted.card}".strip()], "sites": [None, " ".join(embed.origins)]}
        audit.log(domain.pk, "embed link made", embed.name, told | {"numbers": [None, embed.shows_numbers]})
    return embed, token


def address(domain: Domain, token: str) -> str:
    """What a page puts into its frame."""
    return f"{addresses.of(domain)}/embed/{token}/"


def find(token: str) -> Embed | None:
    """The link with this token, also one that was revoked: its sites are told so."""
    return find_hashed(digest(token))


def find_hashed(token_hash: str) -> Embed | None:
    """The same by what is stored of the token."""
    return Embed.objects.select_related("board__domain", "domain").filter(token_hash=token_hash).first()


def is_alive(embed: Embed) -> bool:
    """Whether it was not revoked, and its company is not switched off."""
    return embed.revoked_at is None and embed.domain.is_active


def scope_of(embed: Embed) -> Scope | None:
    """What the link tells now; None where its card is no longer on the board."""
    return scopes.of(layouts.layout_of(embed.board), embed.card, embed.theme)


def note_seen(embed: Embed) -> None:
    """Keep that somebody looks; once a minute, as every page and socket comes here."""
    now = timezone.now()
    if embed.seen_at is None or not now - SEEN_NOTED_EVERY < embed.seen_at <= now:
        Embed.objects.filter(pk=embed.pk).update(seen_at=now)


def language_of(embed: Embed) -> str:
    """What the frame is written in: its own language, else its board's, else the company's."""
    return choosing.first_offered(embed.language, embed.board.language, embed.domain.language)


def revoke(embed: Embed) -> bool:
    """End it: frames go dark at once, wherever they are. False where it was revoked before."""
    with transaction.atomic():
        if not Embed.objects.filter(pk=embed.pk, revoked_at=None).update(revoked_at=timezone.now()):
            return False
        audit.log(embed.domain_id, "embed link revoked", embed.name)
        # Where Redis cannot be told, every process reads this within two seconds.
        rights.changed(domain_id=embed.domain_id, limited_only=True)
        transaction.on_commit(partial(control.close_embed, embed.pk), robust=True)
    return True


def alive(domain: Domain) -> QuerySet[Embed]:
    """The links of a company that can be used."""
    return Embed.objects.filter(domain=domain, revoked_at=None).select_related("board", "created_by")


def card_name(board: Board, card_id: str) -> str:
    """What a card is called: its title, else its kind; "" where it is not on the board."""
    cards = layouts.layout_of(board).cards or ()
    return next((each.title or str(KINDS[each.kind].name) for each in cards if each.id == card_id), "")
