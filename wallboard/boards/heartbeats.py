"""What a TV says of itself, and what the page of the screens makes of it."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Literal

import msgspec
from django.db.models import Q
from django.utils import timezone
from django.utils.dateformat import format as written
from django.utils.translation import gettext as _

from accounts.days import zone_of
from wallboard.boards import engines
from wallboard.boards.models import Screen

EVERY = timedelta(seconds=20)  # static/js/pages/tv.js says so as often, and at once when something changes
GONE_AFTER = timedelta(seconds=65)
OLD_SECONDS = 60
Text = Annotated[str, msgspec.Meta(max_length=40)]
Size = Annotated[int, msgspec.Meta(ge=0, le=100_000)]


class Report(msgspec.Struct):
    """A heartbeat: `data_age` is the age of the shown queues in seconds, null while there are none."""

    showing: Annotated[int, msgspec.Meta(ge=0, le=2**53)] = 0
    data_age: Annotated[int, msgspec.Meta(ge=0, le=2**31)] | None = None
    awake: Literal["", "awake", "asleep", "absent", "insecure"] = ""
    sound: Literal["", "off", "on", "blocked", "absent"] = ""
    release: Text = ""
    width: Size = 0
    height: Size = 0


@dataclass(frozen=True)
class Fact:
    """One thing about a TV; `state` is good, watch, late or "" where nothing is to be judged."""

    key: str
    label: str
    text: str
    state: str = ""
    title: str = ""


def read(body: bytes) -> Report:
    """The report in a heartbeat; an empty one where there is none. Raises msgspec.DecodeError."""
    return msgspec.json.decode(body, type=Report) if body else Report()


def hear(screen: Screen, report: Report, engine: str = "") -> None:
    """Keep what the TV said: at once when it differs, else every so often."""
    now = timezone.now()
    said = msgspec.to_builtins(report)
    is_news = steady(said) != steady(screen.report) or engine[:200] not in ("", screen.engine)
    long_ago = Q(seen_at=None) | Q(seen_at__lt=now - EVERY / 2)
    rows = Screen.objects.filter(pk=screen.pk)
    (rows if is_news else rows.filter(long_ago)).update(
        seen_at=now, engine=engine[:200].replace("\0", "") or screen.engine, report=said
    )


def steady(said: dict[str, object]) -> dict[str, object]:
    """What of a report does not change from one second to the next."""
    return {name: value for name, value in said.items() if name != "data_age"} | {
        "is_empty": said.get("data_age") is None
    }


def state_of(screen: Screen, now: datetime) -> tuple[str, str]:
    """How the TV is doing: good, watch, late or unknown, and in a word."""
    if screen.seen_at is None:
        return "unknown", _("not opened yet")
    if now - screen.seen_at > GONE_AFTER:
        return "late", _("no word since %(time)s") % {"time": moment(screen, now)}
    age = screen.report.get("data_age")
    if not screen.report:
        return "good", _("live")
    return ("watch", _("old data")) if age is None or age > OLD_SECONDS else ("good", _("live"))


def facts(screen: Screen, boards: dict[int, str], release: str, now: datetime) -> list[Fact]:
    """Everything that is known of a TV; `boards` are the names of the company's boards, `release` that of our pages."""
    if screen.seen_at is None:
        return []
    said = Report(**screen.report)
    ago = round(max(0, (now - screen.seen_at).total_seconds()))
    found = [
        Fact("shows", _("Shows now"), boards.get(said.showing, "–")),
        data_fact(said),
        awake_fact(said),
        sound_fact(screen, said),
        Fact(
            "seen", _("Last heartbeat"), _("%(seconds)d s ago") % {"seconds": ago} if ago < 120 else moment(screen, now)
        ),
        Fact("engine", _("Browser"), engines.named(screen.engine), title=screen.engine),
    ]
    if said.width:
        found.append(Fact("size", _("Size"), f"{said.width} × {said.height}"))
    if said.release:
        is_new = said.release == release
        words = _("up to date") if is_new else _("older, renews itself within a minute")
        found.append(Fact("release", _("Pages"), words, "" if is_new else "watch"))
    return found


def data_fact(said: Report) -> Fact:
    if said.data_age is None:
        return Fact("data", _("Data"), _("none"), "watch")
    return Fact(
        "data", _("Data"), _("%(age)d s old") % {"age": said.data_age}, "watch" if said.data_age > OLD_SECONDS else ""
    )


def awake_fact(said: Report) -> Fact:
    words = {
        "awake": (_("kept awake"), ""),
        "asleep": (_("may sleep"), "watch"),
        "absent": (_("this browser cannot; turn off the screen saver"), "watch"),
        "insecure": (_("needs https; until then turn off the screen saver"), "watch"),
    }
    return Fact("awake", _("Awake"), *words.get(said.awake, (_("not told"), "")))


def sound_fact(screen: Screen, said: Report) -> Fact:
    words = {
        "on": (_("on"), ""),
        "blocked": (_("blocked: press a key on the TV's remote control once"), "watch"),
        "absent": (_("this browser cannot"), "watch"),
    }
    if not screen.has_sound:
        return Fact("sound", _("Sound"), _("off"))
    return Fact("sound", _("Sound"), *words.get(said.sound, (_("being turned on"), "watch")))


def moment(screen: Screen, now: datetime) -> str:
    """When the TV was heard last, by the company's clock; with the day where it was not today."""
    zone = zone_of(screen.domain)
    seen_at, today = (screen.seen_at or now).astimezone(zone), now.astimezone(zone).date()
    return written(seen_at, "H:i" if seen_at.date() == today else "j M H:i")
