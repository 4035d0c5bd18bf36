from django.apps import AppConfig


class ScreensConfig(AppConfig):
    name = "wallboard.screens"
