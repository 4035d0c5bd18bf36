"""What a message says: one alert in a few lines, many in one list, in the company's time."""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.utils.dateformat import format as date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.company_day import FORMATS, zone_of
from accounts.languages.lists import listed
from accounts.models import Domain
from accounts.templatetags.formats import duration
from wallboard.alerts import wording
from wallboard.alerts.models import Alert
from wallboard.live.feeds import milliseconds
from wallboard.notifications.models import Notice
from wallboard.queues.models import Level

What = Notice.What
MOST_LINES, MOST_NAMES = 20, 2
PHONE_NUMBER = re.compile(r"(?<!\w)\+?\d(?:[ ()./-]{0,2}\d){6,}(?!\w)")


def without_numbers(text: str) -> str:
    """The text without anything that looks like a phone number: seven digits or more."""
    return PHONE_NUMBER.sub("•••", text)


def title(alerts: Sequence[Alert], *, is_resolved: bool) -> str:
    """One line: "Late: Support", or "12 alerts: Support, Sales and 10 more"."""
    if len(alerts) == 1:
        text = wording.title(alerts[0])
        return _("Resolved: %(text)s") % {"text": text} if is_resolved else text
    names = list(dict.fromkeys(each.name or wording.what(each) for each in alerts))
    shown = listed(names[:MOST_NAMES])
    if len(names) > MOST_NAMES:
        shown = _("%(names)s and %(count)d more") % {"names": shown, "count": len(names) - MOST_NAMES}
    pattern = _("%(count)d alerts resolved: %(names)s") if is_resolved else _("%(count)d alerts: %(names)s")
    return pattern % {"count": len(alerts), "names": shown}


class Writer:
    """Writes for one company at one moment."""

    def __init__(self, domain: Domain, now: datetime) -> None:
        self._zone, self._clock, self._now = zone_of(domain), domain.clock, now

    def content(self, notices: Sequence[Notice]) -> tuple[str, str, dict[str, Any]]:
        """Title, text and the values for machines of a message with these notices; one line for each alert."""
        by_alert = {each.alert_id: each for each in notices}  # the newest word on an alert counts
        open_now = [each for each in by_alert.values() if each.what != What.RESOLVED]
        over = [each for each in by_alert.values() if each.what == What.RESOLVED]
        open_now.sort(key=lambda each: (each.alert.level != Level.LATE, each.alert.raised_at, each.alert_id))
        head = title([each.alert for each in open_now or over], is_resolved=not open_now)
        lines = [self.line(each) for each in open_now[:MOST_LINES]]
        lines += [self.line(each) for each in over[: MOST_LINES - len(lines)]]
        if rest := len(by_alert) - len(lines):
            lines.append(ngettext("and %(count)d more", "and %(count)d more", rest) % {"count": rest})
        if len(open_now) == 1 and (advice := wording.advice(open_now[0].alert)):
            lines.append(advice)
        return head, "\n".join(lines), {"alerts": [document(each) for each in (*open_now, *over)]}

    def line(self, notice: Notice) -> str:
        """One alert in one line."""
        alert = notice.alert
        if notice.what == What.RESOLVED:
            return _("Resolved: %(title)s, %(why)s after %(span)s") % {
                "title": wording.title(alert),
                "why": alert.get_ended_why_display(),
                "span": duration(alert.seconds),
            }
        parts = [wording.title(alert), wording.why(alert), self._since(alert)]
        if notice.what in (What.WORSE, What.REPEATED, What.ESCALATED):
            parts.append(suffixes()[notice.what])
        return listed(parts)

    def _since(self, alert: Alert) -> str:
        local = alert.began_at.astimezone(self._zone)
        span = duration(max(0.0, (self._now - alert.began_at).total_seconds()))
        return _("since %(time)s (%(span)s)") % {"time": date_format(local, FORMATS[self._clock]), "span": span}


def suffixes() -> dict[str, str]:
    """What is added to the line of an alert that was told before."""
    return {
        What.WORSE: _("got worse"),
        What.REPEATED: _("still nobody has acknowledged it"),
        What.ESCALATED: _("nobody has acknowledged it so far"),
    }


def document(notice: Notice) -> dict[str, Any]:
    """An alert for machines. Times in ms."""
    alert = notice.alert
    return {
        "id": alert.pk,
        "what": notice.what,
        "kind": alert.kind,
        "subject": alert.subject,
        "queue": alert.queue.number if alert.queue else "",
        "name": alert.name,
        "level": alert.level,
        "why": wording.why(alert),
        "began_at": milliseconds(alert.began_at),
        "raised_at": milliseconds(alert.raised_at),
        "ended_at": milliseconds(alert.ended_at),
    }
