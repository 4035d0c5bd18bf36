from django.apps import AppConfig


class CallsConfig(AppConfig):
    name = "wallboard.calls"
