"""Reports that are due are made: each once for each person, whatever dies in between, and put into the outbox."""

import logging
from datetime import datetime
from typing import Any
from uuid import uuid4

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from accounts import audit
from accounts.access import Viewer, viewer_of
from accounts.languages import choosing
from accounts.models import Person
from wallboard.notifications import destinations
from wallboard.notifications.models import Channel, Delivery, Destination, Notice
from wallboard.notifications.sending import deliveries
from wallboard.reports.mails import content, schedule
from wallboard.reports.models import ReportMail, ReportRun
from wallboard.reports.period_parts import Period

log = logging.getLogger(__name__)


def make_due(now: datetime) -> int:
    """Make what is due by now and was not made yet; gives how many reports that are."""
    made = 0
    for mail in ReportMail.objects.filter(domain__is_active=True).select_related("domain"):
        made += make_due_of(mail, now)
    return made


def make_due_of(mail: ReportMail, now: datetime) -> int:
    """The same of one report."""
    made = 0
    period = schedule.last_period(mail.every, mail.domain, now, mail.hour)
    if schedule.due_at(period, mail.domain, mail.hour) < mail.since:
        return 0
    done = mail.runs.filter(first=period.first, last=period.last, is_extra=False).values("person")
    for person in mail.people.exclude(pk__in=done).select_related("user"):
        try:
            made += make(mail, person, period, now) is not None
        except Exception:
            # The others get theirs; this one is tried again in a minute.
            log.exception("A report could not be made")
    return made


def make_now(mail: ReportMail, now: datetime) -> list[ReportRun]:
    """Make the newest report for everybody at once, beside those that are due; gives what came of each."""
    period = schedule.last_period(mail.every, mail.domain, now, mail.hour)
    audit.log(mail.domain_id, "report sent now", f"{mail.every} {period.first} {period.last}")
    people = mail.people.select_related("user")
    runs = (make(mail, each, period, now, is_extra=True) for each in people)
    return [run for run in runs if run is not None]


def make(
    mail: ReportMail, person: Person, period: Period, now: datetime, *, is_extra: bool = False
) -> ReportRun | None:
    """The report for one person, stored with the messages that carry it; None where it was made meanwhile."""
    viewer = viewer_of(person.user) if person.user else None
    to = _mailboxes(person)
    language = choosing.of_receiver(person, mail.domain)
    run = ReportRun(mail=mail, person=person, first=period.first, last=period.last, made_at=now, is_extra=is_extra)
    with choosing.speaking(choosing.of_company(mail.domain)):  # as the outcomes of messages
        run.held_back = _held_back(viewer, to)
    values = None
    if viewer is not None and not run.held_back:
        with choosing.speaking(language):
            scope = content.Scope(viewer, mail.domain, period, frozenset(mail.queues))
            made = content.compose(scope, mail.parts, now)
        values = {**vars(made), "language": language, "data": deliveries.seen_by(viewer)}
    try:
        with transaction.atomic():
            run.save()
            if values is not None:
                run.delivery = _put_out(mail, person, to[0], values)
                run.save(update_fields=["delivery"])
    except IntegrityError:
        return None
    return run


def _mailboxes(person: Person) -> list[Destination]:
    mine = destinations.usable().filter(person=person, user=person.user_id, channel=Channel.EMAIL)
    return list(mine.order_by("pk")[:1])


def _held_back(viewer: Viewer | None, to: list[Destination]) -> str:
    """Why this person gets no report; "" where they do."""
    if viewer is None or not viewer.may(Person.Role.SUPERVISOR):
        return str(Notice.HeldBack.LIMIT.label)
    return "" if to else _("no e-mail address that was confirmed")


def _put_out(mail: ReportMail, person: Person, to: Destination, values: dict[str, Any]) -> Delivery:
    return Delivery.objects.create(
        domain_id=mail.domain_id,
        batch=uuid4(),
        destination=to,
        person=person,
        channel=to.channel,
        destination_name=to.name,
        content=values,
    )
