from django.urls import path

from wallboard.outgoing import views

app_name = "outgoing"
urlpatterns = [
    path("setup/webhooks/", views.webhooks, name="webhooks"),
    path("setup/webhooks/<int:endpoint_id>/", views.webhook, name="webhook"),
    path("setup/webhooks/<int:endpoint_id>/do/", views.act, name="act"),
]
