"""What targets for the service level do, on the page of targets."""

from typing import Any

from django import template

from wallboard.reports.service import counting
from wallboard.reports.service.targets import FEWEST_CALLS

register = template.Library()


@register.inclusion_tag("reports/_service_target_note.html", takes_context=True)
def service_target_note(context: Any) -> dict[str, Any]:
    """By what they are judged, or why they judge nothing yet."""
    viewer = context["viewer"]
    return {"ground": counting.ground(viewer.domain_id), "fewest": FEWEST_CALLS}
