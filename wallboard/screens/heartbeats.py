"""Heartbeats of TVs: parsed, stored, and summed up for the page of the screens."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Literal

import msgspec
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import payloads
from accounts.company_day import clock_text, zone_of
from accounts.languages.dates import written
from wallboard.screens import engines
from wallboard.screens.models import Screen

INTERVAL = timedelta(seconds=20)  # static/js/pages/tv.js says so as often, and at once when something changes
GONE_AFTER = timedelta(seconds=65)  # three heartbeats missed, and a little
OLD_SECONDS = 60
# What a TV says of itself is stored and shown to supervisors, so all of it is bounded.
Text = Annotated[str, msgspec.Meta(max_length=40)]
Size = Annotated[int, msgspec.Meta(ge=0, le=100_000)]


class Heartbeat(msgspec.Struct):
    """What a TV reports: `data_age` is the age of the shown queues in seconds, null while there are none."""

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


def parse(body: bytes) -> Heartbeat:
    """The heartbeat in a request's body; an empty one where there is none. Raises BadRequest."""
    return payloads.decode(body, Heartbeat) if body else Heartbeat()


def record(screen: Screen, heartbeat: Heartbeat, engine: str = "") -> None:
    """Store a heartbeat: at once when it differs from the one before, else every INTERVAL / 2."""
    now = timezone.now()
    report = msgspec.to_builtins(heartbeat)
    has_changed = without_age(report) != without_age(screen.report) or engine[:200] not in ("", screen.engine)
    # A page that is loaded again and again writes no row each time.
    long_ago = Q(seen_at=None) | Q(seen_at__lt=now - INTERVAL / 2)
    rows = Screen.objects.filter(pk=screen.pk)
    # PostgreSQL stores no NUL, and a browser may call itself anything.
    (rows if has_changed else rows.filter(long_ago)).update(
        seen_at=now, engine=engine[:200].replace("\0", "") or screen.engine, report=report
    )


def stored_heartbeat(screen: Screen) -> Heartbeat:
    """The screen's last report; what another release wrote and this one does not know is left out."""
    known = {name: value for name, value in screen.report.items() if name in Heartbeat.__struct_fields__}
    try:
        return msgspec.convert(known, Heartbeat)
    except msgspec.ValidationError:
        return Heartbeat()


def without_age(report: dict[str, object]) -> dict[str, object]:
    """What of a report does not change from one second to the next."""
    return {name: value for name, value in report.items() if name != "data_age"} | {
        # Figures that are gone, or there again, are news; figures that are a second older are not.
        "is_empty": report.get("data_age") is None
    }


def status_of(screen: Screen, now: datetime) -> tuple[str, str]:
    """How the TV is doing: good, watch, late or unknown, and in a word."""
    if screen.seen_at is None:
        return "unknown", _("not opened yet")
    if now - screen.seen_at > GONE_AFTER:
        return "late", _("no word since %(time)s") % {"time": moment(screen, now)}
    age = stored_heartbeat(screen).data_age
    # A page of an earlier release reports nothing: that it was heard has to do.
    if not screen.report:
        return "good", _("live")
    return ("watch", _("old data")) if age is None or age > OLD_SECONDS else ("good", _("live"))


def facts(screen: Screen, boards: dict[int, str], release: str, now: datetime) -> list[Fact]:
    """Everything that is known of a TV; `boards` are the names of the company's boards, `release` that of our pages."""
    if screen.seen_at is None:
        return []
    heartbeat = stored_heartbeat(screen)
    # Not below zero: the clock of the server that heard it may be ahead of this one's.
    ago = round(max(0, (now - screen.seen_at).total_seconds()))
    found = [
        Fact("shows", _("Shows now"), boards.get(heartbeat.showing, "–")),
        data_fact(heartbeat),
        awake_fact(heartbeat),
        sound_fact(screen, heartbeat),
        Fact(
            "seen", _("Last heartbeat"), _("%(seconds)d s ago") % {"seconds": ago} if ago < 120 else moment(screen, now)
        ),
        Fact("engine", _("Browser"), engines.engine_name(screen.engine), title=screen.engine),
    ]
    if heartbeat.width:
        found.append(Fact("size", _("Size"), f"{heartbeat.width} × {heartbeat.height}"))
    if heartbeat.release:
        is_new = heartbeat.release == release
        texts = _("up to date") if is_new else _("older, renews itself within a minute")
        found.append(Fact("release", _("Pages"), texts, "" if is_new else "watch"))
    return found


def data_fact(heartbeat: Heartbeat) -> Fact:
    if heartbeat.data_age is None:
        return Fact("data", _("Data"), _("none"), "watch")
    is_old = heartbeat.data_age > OLD_SECONDS
    return Fact("data", _("Data"), _("%(age)d s old") % {"age": heartbeat.data_age}, "watch" if is_old else "")


def awake_fact(heartbeat: Heartbeat) -> Fact:
    texts = {
        "awake": (_("kept awake"), ""),
        "asleep": (_("may sleep"), "watch"),
        "absent": (_("this browser cannot; turn off the screen saver"), "watch"),
        "insecure": (_("needs https; until then turn off the screen saver"), "watch"),
    }
    return Fact("awake", _("Awake"), *texts.get(heartbeat.awake, (_("not told"), "")))


def sound_fact(screen: Screen, heartbeat: Heartbeat) -> Fact:
    texts = {
        "on": (_("on"), ""),
        "blocked": (_("blocked: press a key on the TV's remote control once"), "watch"),
        "absent": (_("this browser cannot"), "watch"),
    }
    if not screen.has_sound:
        return Fact("sound", _("Sound"), _("off"))
    return Fact("sound", _("Sound"), *texts.get(heartbeat.sound, (_("being turned on"), "watch")))


def moment(screen: Screen, now: datetime) -> str:
    """When the TV was heard last, by the company's clock; with the day where it was not today."""
    zone = zone_of(screen.domain)
    seen_at, today = (screen.seen_at or now).astimezone(zone), now.astimezone(zone).date()
    time = clock_text(screen.domain.clock, seen_at)
    return time if seen_at.date() == today else f"{written(seen_at, 'j M')} {time}"
