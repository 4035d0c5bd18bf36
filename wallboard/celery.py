"""The Celery application; what beat starts stands in settings.CELERY_BEAT_SCHEDULE."""

import os
import sys

from celery import Celery
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "wallboard.settings")
try:
    settings.REDIS_URL  # noqa: B018  (read now, so that half-set settings end the process with one sentence)
except ImproperlyConfigured as refusal:
    sys.exit(str(refusal))

app = Celery("wallboard")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
