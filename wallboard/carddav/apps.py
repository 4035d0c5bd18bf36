from django.apps import AppConfig


class CarddavConfig(AppConfig):
    name = "wallboard.carddav"

    def ready(self) -> None:
        from wallboard.carddav import erased  # noqa: F401  (joins what is done about an erased number)
