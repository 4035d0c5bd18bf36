"""What the next hour brings."""

from django.urls import path

from wallboard.forecast import views

app_name = "forecast"
urlpatterns = [path("next-hour/", views.next_hour, name="next_hour")]
