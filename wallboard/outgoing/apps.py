from django.apps import AppConfig


class OutgoingConfig(AppConfig):
    name = "wallboard.outgoing"
