"""Everything below /hooks/ is a secret path, whatever text it is."""

from django.urls import re_path

from wallboard.calls.webhooks import views

app_name = "webhooks"
# [\s\S], since a line break in a path must be a 404 like any other wrong secret.
urlpatterns = [re_path(r"^(?P<secret>[\s\S]*)$", views.hook, name="hook")]
