from django.apps import AppConfig


class CalibrationConfig(AppConfig):
    name = "wallboard.calibration"

    def ready(self) -> None:
        from accounts.domains import provider_left  # below: they need the models
        from wallboard.alerts import wording
        from wallboard.calibration import findings
        from wallboard.calibration.texts import TEXTS

        wording.PROVEN.update({question: text.title for question, text in TEXTS.items()})
        provider_left.connect(lambda domain_id, **_: findings.forget(domain_id), weak=False, dispatch_uid="calibration")
