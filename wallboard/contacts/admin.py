"""Links into the company's other programs, and the hosts that they may lead to."""

from typing import Any

from django import forms
from django.contrib import admin
from django.utils.html import format_html

from accounts.audited_admin import AuditedAdmin
from wallboard.contacts import crm_links
from wallboard.contacts.models import Link, LinkHost


@admin.register(LinkHost)
class LinkHostAdmin(AuditedAdmin):
    list_display = ("host", "domain")


class LinkForm(forms.ModelForm):  # type: ignore[type-arg]  # generic for the checker only
    """Refuses a template that could lead anywhere else than to an allowed host."""

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        domain, template = cleaned.get("domain"), cleaned.get("template")
        if domain and template:
            try:
                # Checked again at each card: a host may be taken off the list later.
                crm_links.validate(template, domain.link_hosts.values_list("host", flat=True))
            except forms.ValidationError as error:
                self.add_error("template", error)
        return cleaned


@admin.register(Link)
class LinkAdmin(AuditedAdmin):
    form = LinkForm
    list_display = ("name", "domain", "template", "order", "test")
    readonly_fields = ("test",)

    @admin.display(description="test")
    def test(self, link: Link) -> str:
        """Opens the link in the administrator's own browser, filled with an example."""
        if not link.pk or not crm_links.is_allowed(
            link.template, link.domain.link_hosts.values_list("host", flat=True)
        ):
            return "–"
        # Only the browser opens it: the server asks nothing of an address that somebody typed.
        href = crm_links.fill(link.template, crm_links.EXAMPLE)
        return format_html('<a href="{}" target="_blank" rel="noopener noreferrer">Open with an example</a>', href)
