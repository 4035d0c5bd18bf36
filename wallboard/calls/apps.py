from django.apps import AppConfig


class CallsConfig(AppConfig):
    name = "wallboard.calls"

    def ready(self) -> None:
        from accounts.domains import provider_left  # below: they need the models
        from wallboard.calls.subscriptions import leaving

        provider_left.connect(lambda domain_id, **_: leaving.leave(domain_id), weak=False, dispatch_uid="calls")
