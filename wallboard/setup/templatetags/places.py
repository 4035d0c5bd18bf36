"""The navigation for templates."""

from django import template
from django.http import HttpRequest

from accounts.access import Viewer
from accounts.models import User
from wallboard.setup import navigation

register = template.Library()


@register.simple_tag(takes_context=True)
def places(context: template.Context) -> navigation.Navigation | None:
    """Where the viewer of this page can go; None for somebody who is nobody here yet."""
    request, viewer = context.get("request"), context.get("viewer")
    if not isinstance(request, HttpRequest) or not isinstance(viewer, Viewer) or not isinstance(request.user, User):
        return None
    match = request.resolver_match
    return navigation.of(viewer, request.user, request.path, match.view_name if match else "")
