from django.apps import AppConfig


class ReplayConfig(AppConfig):
    name = "wallboard.replay"

    def ready(self) -> None:
        from wallboard.replay import departures  # noqa: F401  (notes whoever is deleted)
