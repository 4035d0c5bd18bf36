from django.apps import AppConfig


class BoardsConfig(AppConfig):
    name = "wallboard.boards"
