"""Outcomes are set in the admin; notes are found and erased there, never written by somebody else."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from accounts.audited_admin import AuditedAdmin, AuditedLookups
from wallboard.desk.models import Note, Outcome


@admin.register(Outcome)
class OutcomeAdmin(AuditedAdmin):
    list_display = ("name", "domain", "order", "is_offered")
    list_editable = ("order", "is_offered")
    list_filter = ("domain",)


@admin.register(Note)
class NoteAdmin(AuditedLookups, AuditedAdmin):
    list_display = ("written_at", "person", "number_e164", "outcome", "beginning")
    list_filter = ("domain",)
    search_fields = ("text", "number_e164", "person__name", "person__extension")
    date_hierarchy = "written_at"
    list_select_related = ("person", "outcome")
    # To be found and erased when somebody asks for it, not to be edited.
    fields = readonly_fields = ("domain", "person", "number_e164", "written_at", "outcome", "contact", "text")

    @admin.display(description="note")
    def beginning(self, note: Note) -> str:
        """The first words, for the list."""
        return note.text[:80]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """A note is only written on a card."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """What a person wrote stays as it is."""
        return False
