"""Queue statistics and subscriptions as the provider answers them, and the body of a subscription request."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Annotated, Any, TypeVar

import msgspec

from wallboard.telephony import user_names
from wallboard.telephony.decoding import Unreadable, decode, instant, plain, text
from wallboard.telephony.user_names import UserName

N = TypeVar("N", int, float)
LONGEST_SUBSCRIPTION_SECONDS = 604_800  # the API's maximum for expires_in
Count = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
Agents = Annotated[int, msgspec.Meta(ge=-1_000_000, le=1_000_000)]  # below zero: a way to say that it is not known
Wait = Annotated[float, msgspec.Meta(ge=-1e20, le=1e20)]  # so is -1, also as 64 bits without a sign
FIGURES: dict[str, Any] = {
    **dict.fromkeys(("max_wait", "avg_wait"), Wait),
    **dict.fromkeys(("num_agents", "available_agents", "unavailable_agents"), Agents),
}


class QueueStats(msgspec.Struct, frozen=True):
    """One queue at one moment. Waits are in the provider's unit (a setting of the domain); None is "not told"."""

    number: str
    waiting: int
    longest_wait: float | None = None
    average_wait: float | None = None
    agents: int | None = None
    available: int | None = None
    unavailable: int | None = None


class QueueStatsList(list[QueueStats]):
    """The queues of one answer, one entry per number; `skipped` rows of it could not be read."""

    skipped = 0


class SubscribedEvent(msgspec.Struct, frozen=True):
    """What a subscription delivers, and for whom; "" stands for the whole domain.

    `domain` is that of the user where it was written with the name (user_names), in lower case.
    """

    type: str
    user: str = ""
    domain: str = ""

    @property
    def user_name(self) -> UserName:
        """For whom, with the domain."""
        return UserName(self.user, self.domain)


class SubscriptionAnswer(msgspec.Struct, frozen=True):
    """A subscription as the provider keeps it; `expires_at` is None where its text is no time."""

    id: str
    post_uri: str = ""
    expires_at: datetime | None = None
    events: tuple[SubscribedEvent, ...] = ()


class _Bare(msgspec.Struct):
    queue: str | int
    calls_waiting: Count


class _Row(_Bare):
    max_wait: Wait | None = None
    avg_wait: Wait | None = None
    num_agents: Agents | None = None
    available_agents: Agents | None = None
    unavailable_agents: Agents | None = None

    def stats(self) -> QueueStats:
        return QueueStats(
            text(self.queue, 64),
            self.calls_waiting,
            _known(self.max_wait),
            _known(self.avg_wait),
            _known(self.num_agents),
            _known(self.available_agents),
            _known(self.unavailable_agents),
        )


def _known(figure: N | None) -> N | None:
    return None if figure is None or figure < 0 else figure


class _Subscription(msgspec.Struct):
    id: str | int | None = None
    post_uri: Any = None
    expires: Any = None
    events: Any = None


def queue_stats(body: bytes) -> QueueStatsList:
    """The queues in an answer. A row that cannot be read spoils only itself; of nothing but such rows: Unreadable.

    A row needs its queue and the calls that wait; any other figure that cannot be read counts as not told.
    """
    rows = _rows(body)
    queues = {stats.number: stats for stats in [row.stats() for row in rows if row is not None] if stats.number}
    # An empty list is a company without queues. One without a readable row must not look like that.
    if rows and not queues:
        raise Unreadable
    answer = QueueStatsList(queues.values())
    answer.skipped = len(rows) - len(queues)
    return answer


def _rows(body: bytes) -> Sequence[_Row | None]:
    """Every row of the answer, None for each that cannot be read. As a rule all are good: that is tried first."""
    try:
        return decode(body, list[_Row])
    except Unreadable:
        return [_row(raw) for raw in decode(body, list[msgspec.Raw])]


def _row(raw: msgspec.Raw) -> _Row | None:
    try:
        bare, fields = decode(bytes(raw), _Bare), decode(bytes(raw), dict[str, Any])
    except Unreadable:
        return None
    figures = {name: _figure(fields.get(name), shape) for name, shape in FIGURES.items()}
    return _Row(bare.queue, bare.calls_waiting, **figures)


def _figure(value: object, shape: Any) -> Any:
    try:
        return msgspec.convert(value, shape, strict=False)
    except msgspec.MsgspecError:
        return None


def subscription(body: bytes, known_id: str = "") -> SubscriptionAnswer:
    """A subscription from a create or read answer; its id is text, whatever the answer made of it.

    Where the id is known already, an answer about anything else of the subscription may do without it. Raises
    Unreadable where it is about none.
    """
    raw = decode(body, _Subscription)
    is_about_one = raw.post_uri or raw.expires or raw.events
    subscription_id = text(raw.id) or (known_id if is_about_one else "")
    if not subscription_id:
        raise Unreadable
    events = raw.events if isinstance(raw.events, list) else [raw.events]
    expires_at = instant(raw.expires) if isinstance(raw.expires, str) else None
    named = tuple(event for each in events for event in _events(each) if event.type or event.user)
    return SubscriptionAnswer(subscription_id, plain(raw.post_uri, 2000), expires_at, named)


def _events(raw: object) -> Iterable[SubscribedEvent]:
    """What one of the events says, whether it is an object, as documented, or just a word."""
    known = raw if isinstance(raw, dict) else {"type": raw}
    user = known.get("user")
    users: list[object] = user if isinstance(user, list) else [user]
    names = [user_names.read(plain(each)) for each in users or [None]]
    return [SubscribedEvent(plain(known.get("type")), name.user, name.domain) for name in names]


def renewal(body: bytes, known_id: str) -> SubscriptionAnswer:
    """A subscription from the answer to its renewal, which may say nothing: a read back tells what became of it."""
    is_silent = body.strip() in (b"", b"null", b"{}")
    return SubscriptionAnswer(known_id) if is_silent else subscription(body, known_id)


def subscription_request(
    post_uri: str, expires_in_seconds: int, *, calls: bool = False, cdrs: bool = False, users: Iterable[str] = ()
) -> bytes:
    """The body that creates a subscription, and renews it when sent again: the same in gives the same bytes out.

    Raises ValueError where it is to live longer than the API allows, or not at all.
    """
    if not 0 < expires_in_seconds <= LONGEST_SUBSCRIPTION_SECONDS:
        raise ValueError(f"A subscription lives between 1 and {LONGEST_SUBSCRIPTION_SECONDS} seconds.")
    # In one order, since a renewal must be the same body byte for byte.
    wanted = sorted(set(users))
    request: dict[str, Any] = {"post_uri": post_uri, "expires_in": expires_in_seconds}
    request |= {name: True for name, is_on in (("calls", calls), ("cdrs", cdrs)) if is_on}
    if wanted:
        # The API calls `user` a string that can be repeated.
        request["user"] = wanted[0] if len(wanted) == 1 else wanted
    return msgspec.json.encode(request)
