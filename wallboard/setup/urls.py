"""Manage, whether everything is connected, and the company's own look."""

from django.urls import path

from wallboard.setup.views import brand, manage, setup

app_name = "setup"
urlpatterns = [
    path("manage/", manage.manage, name="manage"),
    path("setup/", setup.setup, name="setup"),
    path("setup/poll/", setup.poll_now, name="poll_now"),
    path("setup/check/", setup.check_now, name="check_now"),
    path("brand/", brand.brand, name="brand"),
    path("brand/theme/", brand.choose_theme, name="choose_theme"),
    path("brand/mirrored/<str:digest>/", brand.mirrored_style, name="rtl_style"),
    path("brand/<int:domain_id>/<str:digest>/", brand.brand_style, name="brand_style"),
]
