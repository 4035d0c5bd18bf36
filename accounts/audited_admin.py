"""Tables of the admin site that have no editing functions of their own: what is done there is logged all the same."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts import audit, audit_anonymizing
from accounts.languages import audit_labels


class DeletedOneByOne(admin.ModelAdmin):  # type: ignore[type-arg]
    """Rows chosen in a list are deleted as each would be by itself: all at once asks nobody, and tells nobody."""

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        for row in queryset:
            self.delete_model(request, row)


class AuditedAdmin(DeletedOneByOne):
    """Logs who adds, changes and deletes; the row is named by its own text, never by what it holds."""

    def save_model(self, request: HttpRequest, obj: Model, form: ModelForm[Any], change: bool) -> None:
        super().save_model(request, obj, form, change)
        log_form(f"{english_name(self)} {'changed' if change else 'added'}", domain_of(obj), str(obj), form)

    def delete_model(self, request: HttpRequest, obj: Model) -> None:
        audit.log(domain_of(obj), f"{english_name(self)} deleted", str(getattr(obj, "user", obj)))
        super().delete_model(request, obj)


class ReadOnly(AuditedAdmin):
    """May be looked at and deleted, which is noted, not written."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class AuditedLookups(admin.ModelAdmin):  # type: ignore[type-arg]
    """Logs who looks callers up: searches, with numbers masked, and rows that are opened, each once an hour.

    The entries are of no company, so neither erasing a number nor a company's retention would find one in them.
    """

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        query = request.GET.get("q", "")
        self._log("searched" if query else "listed", audit_anonymizing.hinted(query), query)
        return super().changelist_view(request, extra_context)

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> Any:
        self._log("looked at", object_id, object_id)
        return super().change_view(request, object_id, *args, **kwargs)

    def _log(self, verb: str, about: str, asked: str) -> None:
        what = f"{english_name(self)} {verb} in the admin site"
        digest = salted_hmac("accounts.audited_admin.asked", asked, algorithm="sha256").hexdigest()
        audit.log(None, what[:60], about, once=f"{timezone.now():%Y-%m-%d %H} {digest}")


class WhatFilter(admin.AllValuesFieldListFilter):
    """The codes that there are, by their labels."""

    def choices(self, changelist: Any) -> Any:
        for choice in super().choices(changelist):
            yield {**choice, "display": audit_labels.label(str(choice["display"]))}


def english_name(table: admin.ModelAdmin) -> str:  # type: ignore[type-arg]
    """By what an entry names a row of this table: the same in whatever language somebody works."""
    return str(table.opts.verbose_name_raw)


def domain_of(row: Model) -> int | None:
    """The company that a row belongs to; None where it belongs to none."""
    return getattr(row, "domain_id", None)


def log_form(what: str, domain_id: int | None, about: str, form: ModelForm[Any]) -> None:
    """Keep what a form of the admin site changed; audit.py masks what is secret."""
    changes = {
        name: [_as_text(form.initial.get(name)), _as_text(form.cleaned_data.get(name))] for name in form.changed_data
    }
    audit.log_changes(domain_id, what, about, changes)


def _as_text(value: Any) -> Any:
    """Chosen rows, such as groups and permissions, by name; all else as it is."""
    return ", ".join(map(str, value)) if isinstance(value, QuerySet | list) else value
