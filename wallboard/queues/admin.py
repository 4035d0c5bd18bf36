"""Queues, targets and polling in the admin site; every change goes through naming, so that boards hear of it."""

from typing import Any

from django.contrib import admin
from django.db.models import Model
from django.forms import ModelForm
from django.http import HttpRequest

from accounts.audited_admin import DeletedOneByOne
from wallboard.queues import editing
from wallboard.queues.models import PollState, Queue, Target


@admin.register(Queue)
class QueueAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Names, order and visibility. Queues come with the readings, and go with their domain."""

    list_display = ("number", "name", "group", "order", "is_hidden", "domain", "first_seen_at")
    list_editable = ("name", "group", "order", "is_hidden")
    list_filter = ("domain", "is_hidden")
    search_fields = ("number", "name")
    ordering = ("domain", "order", "number")
    fields = ("domain", "number", "name", "group", "order", "is_hidden", "first_seen_at")
    # The number is the provider's key: with another one the next reading would make a second queue.
    readonly_fields = ("domain", "number", "first_seen_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: Queue, form: "ModelForm[Queue]", change: bool) -> None:
        # Not super(): saving past `editing` would reach neither the audit log nor open boards.
        editing.edit(obj, **{name: form.cleaned_data[name] for name in form.changed_data})


@admin.register(Target)
class TargetAdmin(DeletedOneByOne):
    """Watch and late levels; a row without a queue is the domain's default."""

    list_display = ("__str__", "domain", *editing.TARGET_FIELDS)
    list_filter = ("domain",)

    def get_readonly_fields(self, request: HttpRequest, obj: Target | None = None) -> tuple[str, ...]:
        # Moving a row to another queue would leave boards of the old one with its targets.
        return () if obj is None else ("domain", "queue")

    def save_model(self, request: HttpRequest, obj: Target, form: "ModelForm[Target]", change: bool) -> None:
        bounds = {name: getattr(obj, name) for name in editing.TARGET_FIELDS}
        obj.pk = editing.set_targets(obj.domain, obj.queue, bounds).pk

    def delete_model(self, request: HttpRequest, obj: Target) -> None:
        editing.drop_targets(obj)


@admin.register(PollState)
class PollStateAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """How polling goes; to look at only."""

    list_display = (
        "domain",
        "read_at",
        "tried_at",
        "failing_since",
        "failure",
        "failures",
        "skipped_rows",
        "not_before",
    )
    # One JSON text for all queues, of no use to a reader.
    exclude = ("figures",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
