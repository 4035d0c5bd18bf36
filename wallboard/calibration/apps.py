from django.apps import AppConfig


class CalibrationConfig(AppConfig):
    name = "wallboard.calibration"

    def ready(self) -> None:
        from wallboard.alerts import wording  # below: it needs the models
        from wallboard.calibration.texts import TEXTS

        wording.PROVEN.update({question: text.title for question, text in TEXTS.items()})
