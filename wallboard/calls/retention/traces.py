"""Where one number or SIP address may stand: in every text of a company, however written, in tables of any room.

The list of columns is made from the models themselves, so a new column is searched from its first day on. Left out is
what cannot hold a number that somebody rang from: keys, choices, what is sealed, and the few that KEYS names.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import phonenumbers
from django.apps import apps
from django.db.models import (
    CharField,
    F,
    Field,
    ForeignKey,
    JSONField,
    Max,
    Min,
    Model,
    OneToOneField,
    Q,
    QuerySet,
    SlugField,
    TextField,
)
from django.db.models.functions import Cast

from accounts.audit_anonymizing import masked
from accounts.encryption import SealedField
from accounts.models import AuditEntry, Domain, LinkNumber
from wallboard.calls import numbers

BETWEEN = r"[\s()./\u00a0-]{0,3}"  # what people write between the digits of a number
ZEROS = "0\u0660\u06f0\uff10"  # of scripts that phones and keyboards type: also Arabic-Indic, Persian and full-width
DIGIT = "[" + "".join(f"{zero}-{chr(ord(zero) + 9)}" for zero in ZEROS) + "]"
KEYS = {  # by which rows are found again: the provider's ids, our own extensions, addresses and states
    *("from_call_id", "to_call_id", "by_call_id", "call_id", "from_user", "to_user", "extension", "queue", "number"),
    *("provider_id", "secret_hash", "ranks", "page", "username", "password", "link_code", "base_url", "client_id"),
    *("started_text", "answered_text", "from_domain", "to_domain", "delimiter"),
    *("login_client_id", "provider_domain", "identity_field", "time_zone", "call_time_zone", "country", "digest"),
}
# A regular expression over a whole big table would run for minutes in one statement.
PIECE = 200_000  # rows that one statement looks through
DEEPEST = 3  # how many rows away from its company a row may be
GoOn = Callable[[], None]  # called between the pieces of what may take long; what it raises ends the work


@dataclass(frozen=True)
class Trace:
    """A number in E.164 or a SIP address in small letters, and the expression that finds any writing of it.

    The expression is one that Python and both databases understand. `core` is in every text of the provider that holds
    the number: its digits without the country, or the whole address in whatever case.
    """

    number: str
    core: str
    pattern: str

    def is_in(self, value: object) -> bool:
        """Whether the number stands in a text, or anywhere in what was JSON."""
        return any(re.search(self.pattern, text) for text in texts_of(value))

    def masked(self, value: Any) -> Any:
        """The same value without the number."""
        return masked(value, self.pattern)


@dataclass(frozen=True)
class Place:
    """The columns of a model that may hold a number, and how its rows are known to be a company's.

    A `unique` column is emptied where others are masked.
    """

    model: type[Model]
    path: str
    columns: tuple[str, ...]
    unique: frozenset[str]

    def of(self, domain_id: int) -> "QuerySet[Any]":
        """The company's rows."""
        return self.model._base_manager.filter(**{self.path: domain_id})

    def holding(self, domain_id: int, trace: Trace) -> "QuerySet[Any]":
        """The company's rows in which the number stands."""
        rows = self.of(domain_id)
        anywhere = Q()
        for name in self.columns:
            if isinstance(self.model._meta.get_field(name), JSONField):
                # Neither database looks into JSON by a regular expression.
                rows = rows.annotate(**{f"{name}_as_text": Cast(F(name), TextField())})
                anywhere |= Q(**{f"{name}_as_text__regex": trace.pattern})
            else:
                anywhere |= Q(**{f"{name}__regex": trace.pattern})
        return rows.filter(anywhere)


def of(text: str, country: str) -> Trace | None:
    """The trace of a number or SIP address as people write it; None for all else."""
    if not (number := numbers.e164(text, country)):
        return _of_address(numbers.bare(text).lower())
    parsed = phonenumbers.parse(number)
    digits = phonenumbers.national_significant_number(parsed)
    return Trace(number, digits, _pattern(parsed, digits))


@cache
def places() -> tuple[Place, ...]:
    """Every model with texts in which a number may stand and that belong to a company."""
    found = []
    # From the models, not from a list: a column that somebody adds is searched without a thought.
    for model in apps.get_models():
        path = "company_id" if model is AuditEntry else _path(model)
        columns = {field.name: field.unique for field in model._meta.concrete_fields if may_hold(field)}
        if path and columns and model is not Domain:
            unique = frozenset(name for name, is_unique in columns.items() if is_unique)
            found.append(Place(model, path, tuple(columns), unique))
    return tuple(found)


def key_places() -> Iterator[Place]:
    """The small tables' texts that may hold a number and are left as they are, since rows are found by them."""
    for model in apps.get_models():
        path = "pk" if model is Domain else _path(model)
        columns = tuple(field.name for field in model._meta.concrete_fields if _may_remain(field, model))
        if path and columns and model not in (AuditEntry, LinkNumber) and model._meta.app_label != "calls":
            yield Place(model, path, columns, frozenset())


def _may_remain(field: "Field[Any, Any]", model: type[Model]) -> bool:
    is_text = isinstance(field, CharField | TextField) and not isinstance(field, SealedField)
    is_left = model is Domain or not may_hold(field)
    return is_text and is_left and not field.choices and not field.name.endswith(("hash", "digest"))


def may_hold(field: "Field[Any, Any]") -> bool:
    """Whether a number may stand in this column, and could be taken out without harm to anything else."""
    is_text = isinstance(field, CharField | TextField | JSONField) and not isinstance(field, SealedField | SlugField)
    is_key = field.name in KEYS or field.primary_key or (field.unique and not field.null)
    return is_text and not field.choices and not is_key


def always() -> None:
    """Whatever takes long goes on to its end."""


def mask_rows(place: Place, domain_id: int, trace: Trace, go_on: GoOn = always) -> int:
    """Take the number out of the company's rows of this model; gives how many held it."""
    return sum(mask(place, row, trace) for row in rows_with(place, domain_id, trace, go_on))


def mask(place: Place, row: dict[str, Any], trace: Trace) -> int:
    """Take the number out of a row as rows_with() gives it; 1 where it stood there."""
    held = [name for name in place.columns if trace.is_in(row[name])]
    # Two masked values would be equal.
    clean = {name: None if name in place.unique else trace.masked(row[name]) for name in held}
    # A plain QuerySet, since that of the audit log refuses every change.
    return QuerySet(place.model).filter(pk=row["pk"]).update(**clean) if clean else 0


def rows_with(place: Place, domain_id: int, trace: Trace, go_on: GoOn = always) -> Iterator[dict[str, Any]]:
    """The columns of the company's rows that hold the number; a big table is looked through piece by piece."""
    for piece in pieces(place.of(domain_id), go_on):
        held = place.holding(domain_id, trace).filter(piece)
        yield from list(held.order_by("pk").values("pk", *place.columns))


def pieces(rows: "QuerySet[Any]", go_on: GoOn = always) -> Iterator[Q]:
    """Which of these rows each statement looks through, so that none runs for minutes."""
    ends = rows.aggregate(first=Min("pk"), last=Max("pk"))
    if ends["first"] is None:
        return
    for start in range(ends["first"], ends["last"] + 1, PIECE):
        go_on()
        yield Q(pk__gte=start, pk__lt=start + PIECE)


def texts_of(value: object) -> Iterator[str]:
    """Every text in a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from texts_in([*value, *value.values()])
    elif isinstance(value, list):
        yield from texts_in(value)


def texts_in(values: Iterable[object]) -> Iterator[str]:
    for value in values:
        yield from texts_of(value)


def _pattern(number: phonenumbers.PhoneNumber, digits: str) -> str:
    """With country code, with what is dialled before it in its country or without either, and whatever stands between
    the digits; and as it is dialled in its country, where that has other digits (Argentina).
    """
    region = phonenumbers.region_code_for_number(number)
    dialled = "".join(filter(str.isdigit, phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.NATIONAL)))
    is_same = dialled.endswith(digits)
    trunks = {
        "0",
        (region and phonenumbers.ndd_prefix_for_region(region, True)) or "0",
        dialled.removesuffix(digits) if is_same else "0",
    }
    trunk = "|".join(_digits(each, BETWEEN) for each in sorted(trunks - {""}))
    abroad = rf"(?:\+|{_digits('00')})?{BETWEEN}{_digits(str(number.country_code))}{BETWEEN}(?:\({_digits('0')}\))?"
    before = rf"(?:{abroad}{BETWEEN}|(?:{trunk}){BETWEEN})?"
    writings = [before + _digits(digits, BETWEEN), *([] if is_same else [_digits(dialled, BETWEEN)])]
    # Not inside a longer run of digits, which is another number.
    return rf"(?<!{DIGIT})(?:{'|'.join(writings)})(?!{DIGIT})"


def _digits(digits: str, between: str = "") -> str:
    """These digits in any of the scripts, with that expression between them."""
    return between.join("[" + "".join(chr(ord(zero) + int(each)) for zero in ZEROS) + "]" for each in digits)


def _of_address(text: str) -> Trace | None:
    """As of(), for a SIP address in small letters; nobody is looked for under the one that hides callers."""
    if numbers.is_withheld(text) or not numbers.SIP.fullmatch(text):
        return None
    return Trace(text, text, rf"(?i)(?<![a-z0-9._%+-]){re.escape(text)}(?![a-z0-9_-]|\.[a-z0-9])")


def _path(model: type[Model]) -> str:
    """The way from a row to its company, the shortest there is; "" where there is none."""
    ways: list[tuple[str, type[Model]]] = [("", model)]
    # Breadth first, so that the shortest way is found.
    for _ in range(DEEPEST):
        further: list[tuple[str, type[Model]]] = []
        for path, at in ways:
            for field in at._meta.concrete_fields:
                if isinstance(field, ForeignKey | OneToOneField):
                    target = field.related_model
                    if target is Domain:
                        return f"{path}{field.name}_id" if not path else f"{path}{field.name}"
                    if isinstance(target, type) and target is not at:
                        further.append((f"{path}{field.name}__", target))
        ways = further
    return ""
