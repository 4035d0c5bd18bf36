"""A company's configuration as one document: what administrators set, without secrets and without anybody's name.

People stand in it by their extension. What is named is set whole; a section that is missing stays as it is.
"""

import re
from typing import Annotated, Any, Literal

import msgspec
from django.utils.translation import gettext as _
from msgspec import UNSET, Meta, UnsetType

LARGEST_BYTES = 1_000_000
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
Seconds = Annotated[int, Meta(ge=0, le=86_400)]
Count = Annotated[int, Meta(ge=0, le=1_000_000)]
Number = Annotated[str, Meta(min_length=1, max_length=64)]
Name = Annotated[str, Meta(min_length=1, max_length=120)]
Short = Annotated[str, Meta(min_length=1, max_length=40)]
Slug = Annotated[str, Meta(pattern="^[-a-zA-Z0-9_]{1,80}$")]
Level = Literal["watch", "late"]
TimeOfDay = Annotated[str, Meta(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")]


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Every part of the document refuses what it does not know."""


class CompanySettings(Part, frozen=True):
    """Clock, language and retention. Days are null for ever; those that are not named stay."""

    time_zone: Annotated[str, Meta(max_length=64)]
    day_starts_hour: Annotated[int, Meta(ge=0, le=23)]
    clock: Literal["24", "12"]
    language: Annotated[str, Meta(max_length=16)]
    country: Annotated[str, Meta(max_length=2)]
    longest_call_hours: Annotated[int, Meta(ge=1, le=72)]
    calls_kept_days: Annotated[int, Meta(ge=1, le=3650)] | None
    notes_kept_days: Annotated[int, Meta(ge=1, le=3650)] | None
    replay_kept_days: Annotated[int, Meta(ge=0, le=3650)] | UnsetType = UNSET
    log_kept_days: Annotated[int, Meta(ge=30, le=3650)] | UnsetType = UNSET
    samples_kept_days: Annotated[int, Meta(ge=30, le=3650)] | UnsetType = UNSET


class Look(Part, frozen=True):
    """Colour of the pages, "" for the product's own, and where reading begins, "" for as the language reads."""

    colour: Annotated[str, Meta(pattern="^(#[0-9a-f]{6})?$")] = ""
    direction: Literal["", "ltr", "rtl"] = ""


class Bounds(Part, frozen=True):
    """Targets: null where inherited, or where there is none."""

    longest_wait_watch_seconds: Count | None = None
    longest_wait_late_seconds: Count | None = None
    waiting_watch: Count | None = None
    waiting_late: Count | None = None
    available_watch_below: Count | None = None
    available_late_below: Count | None = None
    average_wait_watch_seconds: Count | None = None
    average_wait_late_seconds: Count | None = None
    service_watch_below: Annotated[int, Meta(ge=0, le=100)] | None = None
    service_late_below: Annotated[int, Meta(ge=0, le=100)] | None = None


class HoursSettings(Part, frozen=True):
    """Business hours: `week` has seven lines such as `08:00–12:00, 13:00–17:00`, Monday first; a closed day is
    `2026-12-25 Christmas`."""

    week: Annotated[list[Annotated[str, Meta(max_length=500)]], Meta(min_length=7, max_length=7)]
    closed_days: list[Annotated[str, Meta(max_length=200)]] = []
    keeps_closed_days: bool = True
    counts_outside: bool = False


class AlertRule(Part, frozen=True):
    """When a queue raises an alert; "" and null are inherited."""

    level: Literal["", "late", "watch", "never"] = ""
    stays_seconds: Annotated[int, Meta(ge=0, le=3600)] | None = None
    cooldown_seconds: Annotated[int, Meta(ge=0, le=3600)] | None = None


class OwnService(Part, frozen=True):
    """Seconds of the service level that a queue has of its own."""

    target_seconds: Annotated[int, Meta(ge=1, le=3600)] | None = None
    short_seconds: Annotated[int, Meta(ge=0, le=3600)] | None = None


class EveryQueue(Part, frozen=True):
    """What holds for every queue that has nothing of its own."""

    targets: Bounds | None = None
    hours: HoursSettings | None = None
    alert_rule: AlertRule | None = None


class QueueSettings(Part, frozen=True):
    """One queue, by the provider's number."""

    number: Number
    name: Annotated[str, Meta(max_length=120)] = ""
    group: Annotated[str, Meta(max_length=60)] = ""
    order: Annotated[int, Meta(ge=-1_000_000, le=1_000_000)] = 0
    is_hidden: bool = False
    targets: Bounds | None = None
    hours: HoursSettings | None = None
    alert_rule: AlertRule | None = None
    service_level: OwnService | None = None


class ServiceLevel(Part, frozen=True):
    """How the service level is counted; "" where nobody has chosen a formula."""

    formula: Annotated[str, Meta(max_length=4)]
    target_seconds: Annotated[int, Meta(ge=1, le=3600)] | None
    short_seconds: Annotated[int, Meta(ge=0, le=3600)] | None
    is_open_only: bool


class AlertKind(Part, frozen=True):
    """When alerts of a kind are raised; null and "" are as usual for the kind."""

    is_on: bool | None = None
    level: Literal["", "watch", "late"] = ""
    stays_seconds: Seconds | None = None


class TeamSettings(Part, frozen=True):
    """A team and its people, by extension."""

    name: Annotated[str, Meta(min_length=1, max_length=80)]
    people: list[Number] = []


class LimitSettings(Part, frozen=True):
    """What one person sees; null for all."""

    extension: Number
    queues: list[Number] | None = None
    team: Annotated[str, Meta(max_length=80)] | None = None


class RouteStep(Part, frozen=True):
    """Who hears of an alert after so many seconds. Destinations of the company are named, without their addresses;
    null leaves those that the step has."""

    after_seconds: Seconds
    people: list[Number] = []
    teams: list[Name] = []
    destinations: list[Name] | None = None


class RouteSettings(Part, frozen=True):
    """Where alerts go; null means any. `days` has a bit for each day of the week, Monday the lowest."""

    name: Name
    is_enabled: bool = True
    kinds: list[Short] | None = None
    queues: list[Number] | None = None
    groups: list[Annotated[str, Meta(min_length=1, max_length=60)]] | None = None
    level: Level = "late"
    days: Annotated[int, Meta(ge=1, le=127)] = 127
    from_time: TimeOfDay | None = None
    until_time: TimeOfDay | None = None
    repeat_seconds: Annotated[int, Meta(ge=60, le=86_400)] | None = None
    tells_resolved: bool = True
    steps: Annotated[list[RouteStep], Meta(max_length=10)] = []


class BoardSettings(Part, frozen=True):
    """A board with its cards, by the last part of its address. Pictures are not part of the document."""

    slug: Slug
    name: Name
    theme: Literal["dark", "light", "system", "contrast", "calm-dark", "calm-light"] = "system"
    notice: Annotated[str, Meta(max_length=200)] = ""
    time_zone: Annotated[str, Meta(max_length=64)] = ""
    language: Annotated[str, Meta(max_length=16)] = ""
    layout: dict[str, Any] = {}


class RotationStep(Part, frozen=True):
    """One board of a rotation."""

    board: Slug
    seconds: Annotated[int, Meta(ge=5, le=3600)]


class RotationSettings(Part, frozen=True):
    """Boards that TVs show one after the other."""

    name: Name
    steps: Annotated[list[RotationStep], Meta(min_length=1, max_length=12)]


class ScreenSettings(Part, frozen=True):
    """A TV that is paired: what it shows, and how. With a rotation, `board` is what it goes on with without one."""

    name: Name
    board: Slug
    rotation: Name | None = None
    language: Annotated[str, Meta(max_length=16)] = ""
    has_sound: bool = False
    shows_numbers: bool = False


class AddressBookSettings(Part, frozen=True):
    """An address book on a CardDAV server, without its password."""

    name: Name
    url: Annotated[str, Meta(min_length=1, max_length=1000)]
    username: Annotated[str, Meta(min_length=1, max_length=200, pattern="^[^:]*$")]


class LinkSettings(Part, frozen=True):
    """A link from the card into another program."""

    name: Short
    template: Annotated[str, Meta(min_length=1, max_length=1000)]


class Links(Part, frozen=True):
    """All links, and the hosts that they may lead to."""

    hosts: list[Annotated[str, Meta(max_length=253)]] = []
    links: list[LinkSettings] = []


class Configuration(Part, frozen=True):
    """A company's configuration. `version` is that of the format."""

    version: Literal[1]
    company: CompanySettings | UnsetType = UNSET
    look: Look | UnsetType = UNSET
    teams: list[TeamSettings] | UnsetType = UNSET
    limits: list[LimitSettings] | UnsetType = UNSET
    every_queue: EveryQueue | UnsetType = UNSET
    queues: Annotated[list[QueueSettings], Meta(max_length=2000)] | UnsetType = UNSET
    service_level: ServiceLevel | UnsetType = UNSET
    alert_kinds: dict[str, AlertKind] | UnsetType = UNSET
    routes: Annotated[list[RouteSettings], Meta(max_length=200)] | UnsetType = UNSET
    boards: Annotated[list[BoardSettings], Meta(max_length=500)] | UnsetType = UNSET
    rotations: Annotated[list[RotationSettings], Meta(max_length=500)] | UnsetType = UNSET
    screens: Annotated[list[ScreenSettings], Meta(max_length=1000)] | UnsetType = UNSET
    address_books: Annotated[list[AddressBookSettings], Meta(max_length=10)] | UnsetType = UNSET
    outcomes: list[Short] | UnsetType = UNSET
    links: Links | UnsetType = UNSET


class NotUnderstood(Exception):
    """The document cannot be taken: `reason` says why, and `place` where in it.

    `is_technical`: the reason is a program's, in English, and not a sentence in the reader's language.
    """

    def __init__(self, reason: str, place: str = "", *, is_technical: bool = False) -> None:
        super().__init__(f"{reason} - at `{place}`" if place else reason)
        self.reason, self.place, self.is_technical = reason, place, is_technical


def check_texts(value: Any, path: str = "$") -> None:
    """Whether the database can keep every text. Raises NotUnderstood."""
    if isinstance(value, str) and UNSTORABLE.search(value):
        raise NotUnderstood(_("This text cannot be kept: it has characters that are none."), path)
    if isinstance(value, dict):
        for name, each in value.items():
            check_texts(str(name), path)
            check_texts(each, f"{path}.{name}")
    if isinstance(value, list):
        for index, each in enumerate(value):
            check_texts(each, f"{path}[{index}]")


def read(text: bytes) -> Configuration:
    """The document in a file. Raises NotUnderstood."""
    try:
        return msgspec.json.decode(text, type=Configuration)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        reason, _at, place = str(error).partition(" - at ")
        raise NotUnderstood(reason, place.strip("`"), is_technical=True) from None


def written(configuration: Configuration) -> bytes:
    """The document as a file that people can read and compare."""
    return msgspec.json.format(msgspec.json.encode(configuration), indent=2) + b"\n"
