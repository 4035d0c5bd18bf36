"""Attentions to look at only; their rules are set on the page of the attentions."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from wallboard.alerts.models import Episode


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
