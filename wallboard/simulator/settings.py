"""Django's settings for `manage.py simulate`: its command line and its templates, and nothing of the wallboard."""

import secrets

SECRET_KEY = secrets.token_urlsafe(32)
INSTALLED_APPS = ["wallboard.simulator"]
USE_TZ = True
TIME_ZONE = "UTC"
