"""The Celery application; what beat starts stands in settings.CELERY_BEAT_SCHEDULE."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "wallboard.settings")

app = Celery("wallboard")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
