"""Attentions to look at only, and the rules that raise them; rules are saved as the page of the attentions does."""

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _

from wallboard.alerts import rules
from wallboard.alerts.models import Episode, Rule
from wallboard.alerts.rules import LONGEST_SECONDS, Wish

SAYS = ("level", "stays_seconds", "cooldown_seconds")


class RuleAdminForm(forms.ModelForm):  # type: ignore[type-arg]
    """Checks what the page of the attentions checks."""

    class Meta:
        model = Rule
        fields = ("domain", "queue", *SAYS)

    def clean(self) -> dict[str, Any]:
        """A rule is of its own company's queue, says something, and waits for an hour at most."""
        cleaned = super().clean() or {}
        queue, domain = cleaned.get("queue"), cleaned.get("domain")
        if queue is not None and domain is not None and queue.domain_id != domain.pk:
            self.add_error("queue", _("This queue belongs to another domain."))
        for name in SAYS[1:]:
            if (cleaned.get(name) or 0) > LONGEST_SECONDS:
                self.add_error(name, _("At most %(most)d seconds.") % {"most": LONGEST_SECONDS})
        if not self.errors and all(cleaned.get(name) in ("", None) for name in SAYS):
            raise forms.ValidationError(_("This rule says nothing. Delete it: what it leaves open is inherited."))
        return cleaned


@admin.register(Rule)
class RuleAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """When queues call for attention; a rule without a queue is the company's. They hold from the next reading."""

    form = RuleAdminForm
    list_display = ("__str__", "domain", *SAYS)
    list_filter = ("domain", "level")
    list_select_related = ("domain", "queue")

    def get_readonly_fields(self, request: HttpRequest, obj: Rule | None = None) -> tuple[str, ...]:
        return () if obj is None else ("domain", "queue")

    def save_model(self, request: HttpRequest, obj: Rule, form: Any, change: bool) -> None:
        rules.save(obj.domain, {obj.queue: Wish(obj.level, obj.stays_seconds, obj.cooldown_seconds)})
        obj.pk = Rule.objects.get(domain=obj.domain, queue=obj.queue).pk

    def delete_model(self, request: HttpRequest, obj: Rule) -> None:
        rules.save(obj.domain, {obj.queue: Wish()})

    def delete_queryset(self, request: HttpRequest, queryset: "QuerySet[Rule]") -> None:
        for rule in queryset:
            self.delete_model(request, rule)


@admin.register(Episode)
class EpisodeAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Every attention there was, with who took care of it."""

    list_display = ("queue", "level", "raised_at", "acknowledged_name", "acknowledged_at", "ended_at", "ended_why")
    list_filter = ("domain", "level", "ended_why")
    list_select_related = ("queue",)
    date_hierarchy = "raised_at"

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
