"""What was found out about the provider."""

from django.urls import path

from wallboard.calibration import views

app_name = "calibration"
urlpatterns = [
    path("", views.calibration, name="calibration"),
    path("overrule/", views.overrule, name="overrule"),
]
