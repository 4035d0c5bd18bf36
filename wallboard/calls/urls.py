"""Everything below /hooks/ is a secret path, whatever text it is."""

from django.urls import re_path

from wallboard.calls import views

app_name = "calls"
urlpatterns = [re_path(r"^(?P<secret>[\s\S]*)$", views.hook, name="hook")]
