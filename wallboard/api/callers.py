"""Which program asks: its token, what it may ask for, and what it sees."""

from dataclasses import dataclass

from accounts import limits
from accounts.access import Viewer
from accounts.audit import Actor
from accounts.limits import Limit
from accounts.models import Domain, Person
from wallboard.api import tokens
from wallboard.api.models import Token

SCHEME = "bearer "
LONGEST_HEADER = 200


@dataclass(frozen=True)
class Caller:
    """One program, with the rights of its token."""

    token_id: int
    name: str
    domain: Domain
    scopes: frozenset[str]
    viewer: Viewer

    def may(self, scope: str) -> bool:
        """Whether its token has the scope; "" asks for none."""
        return not scope or scope in self.scopes

    @property
    def limit(self) -> Limit:
        return self.viewer.limit

    @property
    def actor(self) -> Actor:
        """As the audit log names it."""
        return Actor(f"API: {self.name}")


def caller_of(token: Token) -> Caller:
    """The program that this token belongs to."""
    queues = None if token.only_queues is None else frozenset(map(str, token.only_queues))
    limit = Limit(queues, None if token.only_team_id is None else limits.members(token.only_team_id))
    # What it may see at all, its scopes say; among that it sees what a supervisor with this limit sees.
    viewer = Viewer(token.domain_id, Person.Role.SUPERVISOR, limit=limit, clock=token.domain.clock, token_id=token.pk)
    return Caller(token.pk, token.name, token.domain, frozenset(token.scopes), viewer)


def bearer(header: str) -> str:
    """The token of an Authorization header; "" where it has none."""
    if len(header) > LONGEST_HEADER or header[: len(SCHEME)].lower() != SCHEME:
        return ""
    return header[len(SCHEME) :].strip()


def identify(header: str) -> Caller | None:
    """The program behind an Authorization header, and note that it was here."""
    token = tokens.find(bearer(header))
    if token is None:
        return None
    tokens.note_use(token)
    return caller_of(token)
