"""Boards as they were."""

from django.urls import path

from wallboard.replay.views import frames

app_name = "replay"
urlpatterns = [
    path("boards/<slug:slug>/replay/day/", frames.day, name="day"),
    path("boards/<slug:slug>/replay/frames/", frames.frames, name="frames"),
]
