from django.apps import AppConfig


class ReportsConfig(AppConfig):
    name = "wallboard.reports"

    def ready(self) -> None:
        from wallboard.alerts.ruling import preview
        from wallboard.reports.service import alert_counts, alerting

        preview.COUNTS[alerting.KIND] = alert_counts.count
