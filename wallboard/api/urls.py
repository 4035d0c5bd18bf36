"""The API, and the page of its tokens."""

from django.urls import path

from wallboard.api.views import rest, tokens

app_name = "api"
urlpatterns = [
    path("setup/api/", tokens.tokens, name="tokens"),
    path("setup/api/<int:token_id>/revoke/", tokens.revoke, name="revoke"),
    *rest.patterns(),
]
