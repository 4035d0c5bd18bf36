"""Calls that are up, the log of earlier ones, and people with what their phones do."""

from django.urls import path

from wallboard.calls.views import calls, clearing, people

app_name = "calls"
urlpatterns = [
    path("calls/", calls.calls, name="calls"),
    path("calls/<int:leg_id>/clear/", clearing.clear, name="clear"),
    path("people/", people.people, name="people"),
    path("people/status/", people.set_status, name="set_status"),
    path("people/favourites/", people.set_favourite, name="set_favourite"),
]
