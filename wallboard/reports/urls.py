"""What queues and people did over some days."""

from django.urls import path

from wallboard.reports import views

app_name = "reports"
urlpatterns = [path("", views.reports, name="reports")]
