"""Alerts: open ones, past ones, rules."""

from django.urls import path

from wallboard.alerts import views

app_name = "alerts"
urlpatterns = [
    path("", views.alerts_page, name="alerts"),
    path("rules/", views.save_rules, name="save_rules"),
    path("kinds/", views.save_kinds, name="save_kinds"),
    path("sound/", views.switch_sound, name="sound"),
    path("<int:alert_id>/acknowledge/", views.acknowledge, name="acknowledge"),
]
