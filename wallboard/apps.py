"""Makes the wiring a Django app, for its commands, and Celery's application known to every process."""

from django.apps import AppConfig


class WallboardConfig(AppConfig):
    name = "wallboard"

    def ready(self) -> None:
        from wallboard import celery, checks  # noqa: F401  (shared tasks bind to it; checks register themselves)
