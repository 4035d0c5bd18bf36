"""Boards and screens in the admin site; saving goes through editing.py and screens.py, so open pages hear of it."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _

from wallboard.boards import clocks, editing, layout, rotations, screens
from wallboard.boards.models import Board, Screen


class BoardAdminForm(forms.ModelForm):  # type: ignore[type-arg]
    """Checks the layout as every reader of it will."""

    class Meta:
        model = Board
        fields = ("domain", "name", "slug", "theme", "notice", "time_zone", "layout")

    def clean_time_zone(self) -> str:
        """A zone that exists, or none."""
        try:
            return clocks.zone_named(self.cleaned_data.get("time_zone", ""))
        except ValueError as error:
            raise forms.ValidationError(str(error)) from error

    def clean_layout(self) -> Any:
        """The layout in the form in which it is kept."""
        try:
            return layout.read(self.cleaned_data.get("layout")).as_json()
        except layout.BadLayout as error:
            raise forms.ValidationError(str(error)) from error


@admin.register(Board)
class BoardAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Boards of every company."""

    form = BoardAdminForm
    list_display = ("name", "domain", "slug", "theme", "version")
    list_filter = ("domain",)
    search_fields = ("name", "slug")

    def get_readonly_fields(self, request: HttpRequest, obj: Board | None = None) -> tuple[str, ...]:
        """An address that people know does not move, nor does a board to another company."""
        return ("domain", "slug") if obj else ()

    def save_model(self, request: HttpRequest, obj: Board, form: Any, change: bool) -> None:
        """Keep and tell."""
        wish = editing.Wish(obj.name, obj.theme, obj.notice, layout.read(obj.layout), obj.time_zone)
        saved = editing.change(obj, wish) if change else editing.make(obj.domain, wish, obj.slug)
        obj.pk, obj.version = saved.pk, saved.version

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """What would go: revoked screens with their board, but no board that a live one or a rotation shows."""
        found, counts, needed, protected = super().get_deleted_objects(objs, request)
        shown = [f"{board}: {', '.join(by)}" for board in objs if (by := rotations.showing(board))]
        return found, counts, needed - {Screen._meta.verbose_name}, [*protected, *shown]

    def delete_model(self, request: HttpRequest, obj: Board) -> None:
        """Through the one function that knows who shows it."""
        editing.remove(obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Board]) -> None:
        """As for one."""
        for board in queryset:
            editing.remove(board)


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
        if "name" in form.changed_data:
            screens.rename(obj, obj.name)
        if "board" in form.changed_data:
            screens.switch(obj, obj.board)

    @admin.action(description="Revoke the chosen screens")
    def revoke(self, request: HttpRequest, queryset: QuerySet[Screen]) -> None:
        """End the right to look of these screens."""
        for screen in queryset.filter(revoked_at=None):
            screens.revoke(screen)
        messages.success(request, _("The screens may not look any more."))
