"""Alerts, read-only, and their rules, which are saved as the alerts page saves them."""

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext as _

from accounts.audited_admin import DeletedOneByOne
from wallboard.alerts import rules
from wallboard.alerts.models import Alert, Rule
from wallboard.alerts.rules import LONGEST_SECONDS, RuleInput

SETTABLE = ("level", "stays_seconds", "cooldown_seconds")


class RuleAdminForm(forms.ModelForm):  # type: ignore[type-arg]
    """Checks what the alerts page checks."""

    class Meta:
        model = Rule
        fields = ("domain", "queue", *SETTABLE)

    def clean(self) -> dict[str, Any]:
        """A rule belongs to a queue of its own company, sets something, and waits for an hour at most."""
        cleaned = super().clean() or {}
        queue, domain = cleaned.get("queue"), cleaned.get("domain")
        if queue is not None and domain is not None and queue.domain_id != domain.pk:
            self.add_error("queue", _("This queue belongs to another domain."))
        for name in SETTABLE[1:]:
            if (cleaned.get(name) or 0) > LONGEST_SECONDS:
                self.add_error(name, _("At most %(most)d seconds.") % {"most": LONGEST_SECONDS})
        if not self.errors and all(cleaned.get(name) in ("", None) for name in SETTABLE):
            raise forms.ValidationError(_("This rule sets nothing. Delete it instead."))
        return cleaned


@admin.register(Rule)
class RuleAdmin(DeletedOneByOne):
    """When queues raise alerts; a rule without a queue is the company's. They hold from the next reading."""

    form = RuleAdminForm
    list_display = ("__str__", "domain", *SETTABLE)
    list_filter = ("domain", "level")
    list_select_related = ("domain", "queue")

    # Saving goes by domain and queue: a rule that was moved would leave its old row behind.
    def get_readonly_fields(self, request: HttpRequest, obj: Rule | None = None) -> tuple[str, ...]:
        return () if obj is None else ("domain", "queue")

    def save_model(self, request: HttpRequest, obj: Rule, form: Any, change: bool) -> None:
        rules.save(obj.domain, {obj.queue: RuleInput(obj.level, obj.stays_seconds, obj.cooldown_seconds)})
        # The admin site logs and links the object that it holds, so it needs the key of the stored row.
        obj.pk = Rule.objects.get(domain=obj.domain, queue=obj.queue).pk

    def delete_model(self, request: HttpRequest, obj: Rule) -> None:
        rules.save(obj.domain, {obj.queue: RuleInput()})


@admin.register(Alert)
class AlertAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Every alert there was, with who acknowledged it."""

    list_display = (
        "kind",
        "name",
        "level",
        "raised_at",
        "acknowledged_name",
        "acknowledged_at",
        "ended_at",
        "ended_why",
    )
    list_filter = ("domain", "kind", "level", "ended_why")
    list_select_related = ("queue",)
    date_hierarchy = "raised_at"

    # A record of what happened: reaction times are read from it, so nobody may write it anew.
    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
