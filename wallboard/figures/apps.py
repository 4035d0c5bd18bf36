from django.apps import AppConfig


class FiguresConfig(AppConfig):
    name = "wallboard.figures"
