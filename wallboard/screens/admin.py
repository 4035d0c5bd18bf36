"""TVs in the admin site; saving goes through screens.py, so that the TV hears of it."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _

from wallboard.boards.models import Board
from wallboard.screens import screens
from wallboard.screens.models import Screen


@admin.register(Screen)
class ScreenAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """TVs of every company. Their tokens are kept as hashes only and are never shown."""

    list_display = ("name", "board", "domain", "seen_at", "revoked_at")
    list_filter = ("domain",)
    fields = ("name", "board", "domain", "created_by", "created_at", "seen_at", "revoked_at", "engine")
    readonly_fields = ("domain", "created_by", "created_at", "seen_at", "revoked_at", "engine")
    actions = ("revoke",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """A screen is made where its address can be shown: on the page Screens, or by `manage.py screen`."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Screen | None = None) -> bool:
        """Screens are revoked, so that it stays known who looked."""
        return False

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Only boards of the screen's own company can be chosen."""
        match = request.resolver_match
        if db_field.name == "board" and match is not None and "object_id" in match.kwargs:
            kwargs["queryset"] = Board.objects.filter(domain__screens__pk=match.kwargs["object_id"]).distinct()
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def save_model(self, request: HttpRequest, obj: Screen, form: Any, change: bool) -> None:
        """Rename and switch through the functions that tell the TV."""
        # A function each: every change has its entry in the audit log and its own way to the TV.
        if "name" in form.changed_data:
            screens.rename(obj, obj.name)
        if "board" in form.changed_data:
            screens.set_content(obj, obj.board)

    @admin.action(description="Revoke the chosen screens")
    def revoke(self, request: HttpRequest, queryset: QuerySet[Screen]) -> None:
        """End the right to look of these screens."""
        for screen in queryset.filter(revoked_at=None):
            screens.revoke(screen)
        messages.success(request, _("The screens may not look any more."))
