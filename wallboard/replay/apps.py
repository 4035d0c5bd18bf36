from django.apps import AppConfig


class ReplayConfig(AppConfig):
    name = "wallboard.replay"

    def ready(self) -> None:
        from wallboard.replay import departures, erasing  # noqa: F401  (both join what other rooms erase)
