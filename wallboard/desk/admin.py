"""Outcomes and links are set in the admin; notes are found and erased there, never written by somebody else."""

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from django.utils.html import format_html

from accounts.noted import NotedAdmin
from wallboard.desk import crm
from wallboard.desk.models import Link, LinkHost, Note, Outcome


@admin.register(Outcome)
class OutcomeAdmin(NotedAdmin):
    list_display = ("name", "domain", "order", "is_offered")
    list_editable = ("order", "is_offered")
    list_filter = ("domain",)


@admin.register(LinkHost)
class LinkHostAdmin(NotedAdmin):
    list_display = ("host", "domain")


class LinkForm(forms.ModelForm):  # type: ignore[type-arg]  # generic for the checker only
    """Refuses a template that could lead anywhere else than to an allowed host."""

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        domain, template = cleaned.get("domain"), cleaned.get("template")
        if domain and template:
            try:
                crm.check(template, domain.link_hosts.values_list("host", flat=True))
            except forms.ValidationError as error:
                self.add_error("template", error)
        return cleaned


@admin.register(Link)
class LinkAdmin(NotedAdmin):
    form = LinkForm
    list_display = ("name", "domain", "template", "order", "test")
    readonly_fields = ("test",)

    @admin.display(description="test")
    def test(self, link: Link) -> str:
        """Opens the link in the administrator's own browser, filled with an example."""
        if not link.pk or not crm.is_allowed(link.template, link.domain.link_hosts.values_list("host", flat=True)):
            return "–"
        href = crm.filled(link.template, crm.EXAMPLE)
        return format_html('<a href="{}" target="_blank" rel="noopener noreferrer">Open with an example</a>', href)


@admin.register(Note)
class NoteAdmin(NotedAdmin):
    list_display = ("written_at", "person", "number_e164", "outcome", "beginning")
    list_filter = ("domain",)
    search_fields = ("text", "number_e164", "person__name", "person__extension")
    date_hierarchy = "written_at"
    list_select_related = ("person", "outcome")
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
