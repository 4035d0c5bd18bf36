"""What the badge of open alerts needs on a page."""

from typing import Any

from django import template

from accounts.access import Viewer
from accounts.models import Person
from wallboard.alerts import sound
from wallboard.alerts.texts import badge_texts

register = template.Library()


@register.simple_tag(takes_context=True)
def alert_badge(context: template.Context) -> dict[str, Any] | None:
    """The badge's texts and whether alerts sound for this viewer; None for whoever has no page of alerts."""
    viewer = context.get("viewer")
    if not isinstance(viewer, Viewer) or viewer.screen_id is not None or not viewer.may(Person.Role.SUPERVISOR):
        return None
    return {"viewer": viewer.person_id, "sound": sound.is_wanted(viewer), "texts": badge_texts()}
