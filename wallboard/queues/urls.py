"""Targets, hours and names of queues."""

from django.urls import path

from wallboard.queues.views import hours, queues, targets

app_name = "queues"
urlpatterns = [
    path("targets/", targets.targets, name="targets"),
    path("targets/hours/", hours.business_hours, name="hours"),
    path("setup/queues/", queues.queues, name="queues"),
]
