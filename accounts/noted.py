"""Tables of the admin site that have no editing functions of their own: what is done there is noted all the same."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.forms import ModelForm
from django.http import HttpRequest

from accounts import audit


class NotedAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Notes who adds, changes and deletes; the row is named by its own text, never by what it holds."""

    def save_model(self, request: HttpRequest, obj: Model, form: ModelForm[Any], change: bool) -> None:
        super().save_model(request, obj, form, change)
        note_form(f"{self.opts.verbose_name} {'changed' if change else 'added'}", domain_of(obj), str(obj), form)

    def delete_model(self, request: HttpRequest, obj: Model) -> None:
        audit.note(domain_of(obj), f"{self.opts.verbose_name} deleted", str(obj))
        super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Model]) -> None:
        for row in queryset:
            self.delete_model(request, row)


def domain_of(row: Model) -> int | None:
    """The company that a row belongs to; None where it belongs to none."""
    return getattr(row, "domain_id", None)


def note_form(what: str, domain_id: int | None, about: str, form: ModelForm[Any]) -> None:
    """Keep what a form of the admin site changed; audit.py masks what is secret."""
    changes = {name: [form.initial.get(name), form.cleaned_data.get(name)] for name in form.changed_data}
    audit.note_changes(domain_id, what, about, changes)
