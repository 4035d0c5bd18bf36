"""Boards in the admin site; saving goes through editing.py, so open pages hear of it."""

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext as _

from accounts.audited_admin import DeletedOneByOne
from wallboard.boards import editing, layout, time_zones
from wallboard.boards.models import Board


class BoardAdminForm(forms.ModelForm):  # type: ignore[type-arg]
    """Checks the layout as every reader of it will."""

    class Meta:
        model = Board
        fields = ("domain", "name", "slug", "theme", "notice", "time_zone", "language", "layout")

    def clean_slug(self) -> str:
        """An address that no other page has."""
        slug: str = self.cleaned_data["slug"]
        if slug in editing.RESERVED:
            raise forms.ValidationError(_("No board can have this address."))
        return slug

    def clean_time_zone(self) -> str:
        """A zone that exists, or none."""
        try:
            return time_zones.parse_zone(self.cleaned_data.get("time_zone", ""))
        except ValueError as error:
            raise forms.ValidationError(str(error)) from error

    def clean_layout(self) -> Any:
        """The layout in the form in which it is kept."""
        try:
            return layout.parse(self.cleaned_data.get("layout")).as_json()
        except layout.BadLayout as error:
            raise forms.ValidationError(str(error)) from error


@admin.register(Board)
class BoardAdmin(DeletedOneByOne):
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
        own = (obj.time_zone, obj.language)
        board_input = editing.BoardInput(obj.name, obj.theme, obj.notice, layout.parse(obj.layout), *own)
        saved = editing.update(obj, board_input) if change else editing.create(obj.domain, board_input, obj.slug)
        # The admin site logs and links the object that it holds.
        obj.pk, obj.version = saved.pk, saved.version

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """What would go: revoked screens with their board, but no board that a live one or a rotation shows."""
        found, counts, needed, protected = super().get_deleted_objects(objs, request)
        shown = [f"{board}: {', '.join(by)}" for board in objs if (by := editing.shown_by(board))]
        # Nobody may delete screens by themselves (screens/admin.py), but revoked ones go with their board.
        return found, counts, needed - {"screen"}, [*protected, *shown]

    def delete_model(self, request: HttpRequest, obj: Board) -> None:
        """Through the one function that knows who shows it."""
        editing.delete(obj)
