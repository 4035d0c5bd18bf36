"""What is kept about one caller: made for a test, and looked for afterwards."""

from typing import Any
from uuid import uuid4

from django.db import models
from django.utils import timezone

from accounts import audit
from accounts.encryption import sealed
from accounts.languages.digits import ascii_digits
from accounts.models import Domain
from tests.desk.conftest import HANNA, Company
from wallboard.calls.models import Delivery, Leg, Record, Subscription
from wallboard.calls.retention import traces
from wallboard.calls.retention.traces import Trace
from wallboard.contacts import address_book, imports
from wallboard.contacts.address_book import ContactInput
from wallboard.desk.models import CallBack, Note, Rule

DIGITS = "30901820"
DAY = 24 * 60
WRITINGS = [
    "+4930901820",
    "004930901820",
    "030901820",
    "030 / 90 18 20",
    "+49 (0)30 901820",
    "(030) 901-820",
    "30901820",
    "+٤٩ ٣٠ ٩٠١٨٢٠",
    "۰۳۰-۹۰۱۸۲۰",
]
OTHERS = ["+49309018201", "+4940901820", "1030901820", "+4930901821", "030 9018 2", "٠٣٠٩٠١٨٢٠٤", "1٠٣٠٩٠١٨٢٠"]


def hanna() -> Trace:
    found = traces.of(HANNA, "DE")
    assert found is not None
    return found


def keeps(company: Company, *, calls: int | None = None, notes: int | None = None) -> Domain:
    company.domain.calls_kept_days, company.domain.notes_kept_days = calls, notes
    company.domain.save()
    return company.domain


def delivery(company: Company, body: str, **columns: Any) -> Delivery:
    subscription, _ = Subscription.objects.get_or_create(
        domain=company.domain, kind="calls", defaults={"secret": sealed("s"), "secret_hash": company.domain.slug}
    )
    columns = {"received_at": timezone.now(), "applied_at": timezone.now()} | columns
    return Delivery.objects.create(identity=uuid4(), subscription=subscription, body=body, **columns)


def record_of(leg: Leg) -> Record:
    return Record.objects.create(
        domain=leg.domain, from_call_id=leg.from_call_id, to_call_id=leg.to_call_id, from_number=leg.from_number,
        from_name=leg.from_name, to_number=leg.to_number, received_at=timezone.now(),
    )  # fmt: skip


def everywhere(domain_id: int) -> list[str]:
    """Every text column of every table in which the digits stand for that company, however they are written."""
    found = []
    for place in traces.places():
        for field in place.model._meta.concrete_fields:
            if not isinstance(field, models.CharField | models.TextField | models.JSONField):
                continue
            for value in place.of(domain_id).values_list(field.name, flat=True):
                if DIGITS in "".join(filter(str.isdecimal, ascii_digits(str(value)))):
                    found.append(f"{place.model._meta.label}.{field.name}")
    return found


def fill(company: Company) -> None:
    """A row in every table that has any, and the number in each column that could hold it."""
    address_book.save(company.domain, ContactInput("Hanna", numbers=(HANNA,)))
    leg = company.leg(minutes_ago=30, talked=60)
    record_of(leg)
    delivery(company, "{}")
    Note.objects.create(domain=company.domain, person=company.mia, call_id=leg.from_call_id, text="x")
    Rule.objects.create(person=company.mia, ignored=["x"])
    CallBack.objects.create(domain=company.domain, number_e164=HANNA)
    imports.create(company.domain, None, "x.csv", b"Name;Number\nHanna;030 901820\n")
    audit.log(company.domain.pk, "calls searched", HANNA, once=HANNA)
    for place in traces.places():
        for number, name in enumerate(place.columns):
            field = place.model._meta.get_field(name)
            text = WRITINGS[number % len(WRITINGS)]
            if (getattr(field, "max_length", None) or 99) < len(text) or name in place.unique:
                continue
            value: Any = {"deep": [f"call {text}"]} if isinstance(field, models.JSONField) else text
            value = [text] if name == "ignored" else value
            models.QuerySet(place.model).filter(pk__in=place.of(company.domain.pk)).update(**{name: value})
    Leg.objects.filter(domain=company.domain).update(caller_e164=HANNA)  # else it would be the company's own number
