"""Reports by mail are set up, changed, removed, and stopped by whoever gets them; each with an audit entry."""

from datetime import datetime

from django.db import transaction

from accounts import audit
from accounts.models import Person
from wallboard.reports.mails.forms import MailForm
from wallboard.reports.models import ReportMail


@transaction.atomic
def add(form: MailForm, person: Person) -> ReportMail:
    """Store what was chosen; where nobody is named it is the person's own."""
    mail: ReportMail = form.save(commit=False)
    people = list(form.cleaned_data.get("people") or [])
    mail.domain = person.domain
    mail.owner = None if people else person
    mail.save()
    mail.people.set(people or [person])
    audit.log(mail.domain_id, "report by mail added", label(mail))
    return mail


def change(form: MailForm, person: Person, now: datetime) -> None:
    """Store what was chosen of one that goes out already. What was over before is not sent anew, nor to others: what is
    due of it is to be made before this (making.make_due_of), by the times that held.
    """
    mail: ReportMail = form.instance
    before = ReportMail.objects.select_related("domain").get(pk=mail.pk)
    had = set(before.people.all())
    people = had
    if "people" in form.fields:
        people = set(form.cleaned_data["people"]) or {person}
        mail.owner = person if people == {person} else before.owner if people == {before.owner} else None
    # At a later hour the period before the last one would be the newest again, for a while.
    if mail.every != before.every or mail.hour > before.hour or people - had:
        mail.since = now
    with transaction.atomic():
        mail.save()
        mail.people.set(people)
        audit.log(mail.domain_id, "report by mail changed", label(mail))


def chosen(mail: ReportMail) -> list[object]:
    """What its form shows of it."""
    people = sorted(mail.people.values_list("pk", flat=True))
    return [mail.every, mail.hour, mail.parts, mail.queues, people]


def remove(mail: ReportMail) -> None:
    """It goes out no longer; its history goes with it, and the messages keep theirs."""
    audit.log(mail.domain_id, "report by mail removed", label(mail))
    mail.delete()


def stop(mail: ReportMail, person: Person) -> None:
    """The person gets it no longer; one that nobody else gets is removed where it was their own."""
    if not mail.people.filter(pk=person.pk).exists():
        return
    audit.log(mail.domain_id, "report by mail stopped", f"{label(mail)} {audit.person_label(person)}")
    mail.people.remove(person)
    if mail.owner_id == person.pk and not mail.people.exists():
        mail.delete()


def label(mail: ReportMail) -> str:
    """As the audit log names it."""
    return f"{mail.every} {mail.hour}: {' '.join(mail.parts)}"
