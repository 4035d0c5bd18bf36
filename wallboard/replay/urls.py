"""Boards as they were."""

from django.urls import path

from wallboard.replay.views import frames, page

app_name = "replay"
urlpatterns = [
    path("boards/<slug:slug>/replay/", page.show, name="page"),
    path("boards/<slug:slug>/replay/day/", frames.day, name="day"),
    path("boards/<slug:slug>/replay/frames/", frames.frames, name="frames"),
    path("replay/<str:day>/", page.of_day, name="of_day"),
    path("alerts/<int:alert_id>/replay/", page.alert, name="alert"),
]
