"""How long callers are kept, and everything about one number."""

from django.urls import path

from wallboard.privacy import views

app_name = "privacy"
urlpatterns = [
    path("", views.settings_page, name="privacy"),
    path("number/", views.number, name="number"),
    path("export/", views.export_number, name="export_number"),
    path("erase/", views.erase_number, name="erase_number"),
]
