"""Manage: what lies behind the five places of the day, by who may open it."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from accounts.access import Viewer, for_role
from accounts.models import Person


@never_cache
@require_GET
@for_role(Person.Role.AGENT)
def manage(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Every page of Manage that the viewer may open; phones come here first."""
    return render(request, "setup/manage.html")
