"""What was found out about the provider."""

from django.urls import path

from wallboard.calibration import views

app_name = "calibration"
urlpatterns = [
    path("setup/calibration/", views.calibration, name="calibration"),
    path("setup/calibration/overrule/", views.overrule, name="overrule"),
    path("figures/", views.figures, name="figures"),
]
