from django.apps import AppConfig


class CalibrationConfig(AppConfig):
    name = "wallboard.calibration"
