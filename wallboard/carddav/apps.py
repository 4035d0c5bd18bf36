from django.apps import AppConfig


class CarddavConfig(AppConfig):
    name = "wallboard.carddav"
