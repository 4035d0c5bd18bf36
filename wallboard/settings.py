"""One file of settings, from the environment; refuses to start half-set. `.env.example` explains each name."""

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from accounts.languages.catalogues import SOURCE, offered
from accounts.validators import is_local
from wallboard.databases import database, replica
from wallboard.environment import (
    all_or_none,
    broker_address,
    env,
    flag,
    networks,
    one_of,
    positive_seconds,
    public_url,
    random_text,
    redis_address,
    refuse,
    smtp_url,
    token_keys,
    whole_number,
)
from wallboard.folders import BASE_DIR as BASE_DIR  # others ask for settings.BASE_DIR
from wallboard.folders import FILES_DIR as FILES_DIR

DEBUG = flag("DEBUG")
SECRET_KEY = random_text("SECRET_KEY", is_needed=True)
TOKEN_KEYS = token_keys()
# Where the environment names none, what is stored counts, and these follow it (accounts/companies/public_address.py).
IS_PUBLIC_URL_FIXED = bool(env.str("PUBLIC_URL", "").strip())
PUBLIC_URL, PREVIOUS_URL = public_url(), ""
PUBLIC = urlsplit(PUBLIC_URL)
if DEBUG and not is_local(str(PUBLIC.hostname)):
    refuse("DEBUG must be off when the host of PUBLIC_URL can be reached from outside: it shows settings and code.")
REDIS = redis_address("REDIS_URL")
REDIS_URL = REDIS.url
BROKER = broker_address(REDIS)
TASKS_REDIS_URL = BROKER.url
OPERATOR_TOKEN = random_text("OPERATOR_TOKEN", is_needed=False)
SPOOL_DIR = env.str("SPOOL_DIR", "")
BACKUP_DIR = env.str("BACKUP_DIR", "")
LOG_FORMAT = one_of("LOG_FORMAT", "line", "json")
POLL_SECONDS = positive_seconds("POLL_SECONDS", 5)
CHECK_SECONDS = positive_seconds("CHECK_SECONDS", 60)
DRAIN_SECONDS = whole_number("DRAIN_SECONDS", 0)
PROVIDER_BASE_URL = env.str("PROVIDER_BASE_URL", "").rstrip("/")
PROVIDER_CLIENT_ID = env.str("PROVIDER_CLIENT_ID", "")
PROVIDER_CLIENT_SECRET = env.str("PROVIDER_CLIENT_SECRET", "")
PROVIDER_LOGIN_CLIENT_ID = env.str("PROVIDER_LOGIN_CLIENT_ID", "")
PROVIDER_LOGIN_CLIENT_SECRET = env.str("PROVIDER_LOGIN_CLIENT_SECRET", "")
PROVIDER_TIME_ZONE = env.str("PROVIDER_TIME_ZONE", "") or "UTC"
all_or_none("PROVIDER_BASE_URL", "PROVIDER_CLIENT_ID", "PROVIDER_CLIENT_SECRET")
all_or_none("PROVIDER_LOGIN_CLIENT_ID", "PROVIDER_LOGIN_CLIENT_SECRET")
SMTP = smtp_url()
MAIL_FROM = env.str("MAIL_FROM", "").strip()
OPERATOR_MAIL = [each.strip() for each in env.str("OPERATOR_MAIL", "").split(",") if each.strip()]
all_or_none("SMTP_URL", "MAIL_FROM")

FURTHER_HOSTS = tuple(host.strip() for host in env.str("ALLOWED_HOSTS", "").split(",") if host.strip())
ALLOWED_HOSTS = list(FURTHER_HOSTS)
if "*" in ALLOWED_HOSTS and not DEBUG:
    refuse("ALLOWED_HOSTS must name hosts, not '*', when DEBUG is off.")
if str(PUBLIC.hostname) not in ALLOWED_HOSTS:
    ALLOWED_HOSTS.append(str(PUBLIC.hostname))
PORT_PART = f":{PUBLIC.port}" if PUBLIC.port else ""  # of companies' hosts as well
CSRF_TRUSTED_ORIGINS: list[str] = []  # by host, and as they come and go (wallboard/middleware.py)

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "channels",
    "wallboard",
    "accounts",
    *(
        f"wallboard.{room}"
        for room in ("figures", "queues", "calls", "contacts", "desk", "alerts", "notifications", "calibration")
    ),
    *(
        f"wallboard.{room}"
        for room in ("reports", "forecast", "boards", "screens", "privacy", "setup", "sockets", "replay", "api")
    ),
    "wallboard.outgoing",
    "wallboard.carddav",
    "wallboard.simulator",
]
MIDDLEWARE = [
    # Around everything that may write a line.
    "wallboard.middleware.RequestId",
    # So early that it also rewrites what others refuse.
    "wallboard.middleware.ProblemAnswers",
    # So early that it also counts what others refuse.
    "wallboard.metrics.CountDeliveries",
    # Both before all that looks at the host name.
    "wallboard.middleware.ProbesByAddress",
    "wallboard.middleware.CompanyHosts",
    "wallboard.middleware.FollowedSecurity",
    # Before WhiteNoise: static files have the headers as well.
    "wallboard.middleware.PageSecurity",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "wallboard.middleware.FollowedOrigins",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    # After the authentication, which says who acts.
    "wallboard.middleware.AuditActor",
    # After it, too: everybody may choose their own.
    "wallboard.middleware.Language",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    # Innermost: its page knows who asks, and in which language.
    "wallboard.middleware.MethodPages",
]
ROOT_URLCONF = "wallboard.urls"
ASGI_APPLICATION = "wallboard.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [FILES_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "accounts.access.viewer_context",
            ]
        },
    }
]


DATABASES = {"default": database("DATABASE_URL"), **replica("REPLICA_URL")}
DATABASE_ROUTERS = ["wallboard.reports.reading.replica.Router"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "accounts.User"
LOGIN_URL = "/accounts/login/"
LOGIN_REDIRECT_URL = "/"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("MinimumLengthValidator", "CommonPasswordValidator", "NumericPasswordValidator")
]

LANGUAGE_CODE = SOURCE
LOCALE_PATHS = [Path(__file__).parent / "locale"]
LANGUAGES = offered(LOCALE_PATHS[0])  # those with a catalogue of ours: no page is half translated
COMMAND_LANGUAGE = one_of("WALLBOARD_LANGUAGE", "", *(code for code, _name in LANGUAGES))
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = Path(env.str("STATIC_ROOT", "") or BASE_DIR / "staticfiles")
STATICFILES_DIRS = [FILES_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "wallboard.storage.HashedStaticFiles"},
}

IS_HTTPS = PUBLIC.scheme == "https"
SESSION_COOKIE_AGE = 14 * 86_400
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = IS_HTTPS
# Not Strict: the way back from the sign-in begins at the provider's site.
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True  # scripts get the token with their page
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_HSTS_SECONDS = 31_536_000 if IS_HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = False
SILENCED_SYSTEM_CHECKS = [
    *("security.W005", "security.W021"),  # other hosts of the domain are not ours to decide about
    *("security.W001", "security.W003"),  # ours are subclasses of the middlewares that these look for by name
    "security.W009",  # random_text() refuses a SECRET_KEY that can be guessed; the 44 characters of newkey are 256 bits
]
SECURE_SSL_REDIRECT = IS_HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if IS_HTTPS else None
# Probes come from inside, over plain http.
SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)$"]
TRUSTED_PROXIES = whole_number("TRUSTED_PROXIES", 0)
SOCKETS_PER_VIEWER = whole_number("SOCKETS_PER_VIEWER", 100)
OUTBOUND_ALLOWED_NETWORKS = networks("OUTBOUND_ALLOWED_NETWORKS")
X_FRAME_OPTIONS = "DENY"
DATA_UPLOAD_MAX_MEMORY_SIZE = 1_048_576
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000  # pages that edit all queues at once: targets have six fields for each

CELERY_BROKER_URL, OF_BROKER = BROKER.broker
CELERY_BROKER_USE_SSL = BROKER.broker_tls
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# For ever: Redis may be away for long, and nobody should have to restart workers.
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
# Longer than the worker's blocking reads; redis-py 8 gives up after five seconds unless told otherwise.
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "socket_timeout": 15,
    "socket_connect_timeout": 3,
    "health_check_interval": 10,
    **OF_BROKER,
}
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_STORE_ERRORS_EVEN_IF_IGNORED = False
CELERY_TASK_SERIALIZER = "json"
# Pickle would let whoever writes to Redis run code here.
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TIMEZONE = "UTC"
# Else Celery puts handlers of its own in, past the filter that keeps secrets out.
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_SEND_TASK_EVENTS = False


def every(seconds: float, task: str) -> dict[str, Any]:
    """A beat entry whose message dies before the next one is due, so that no backlog can burst."""
    return {"task": task, "schedule": seconds, "options": {"expires": seconds * 0.9}}


CELERY_BEAT_SCHEDULE = {
    "maintain grants": every(600, "accounts.tasks.maintain_grants"),
    "poll queues": every(POLL_SECONDS, "wallboard.queues.tasks.poll_queues"),
    "roll samples": every(20, "wallboard.queues.tasks.roll_samples"),
    "check subscriptions": every(min(CHECK_SECONDS, 10), "wallboard.calls.tasks.check_subscriptions"),
    "watch call events": every(max(POLL_SECONDS, 2), "wallboard.calls.tasks.watch_for_silence"),
    "sweep calls": every(15, "wallboard.calls.tasks.sweep"),
    "mend feeds": every(15, "wallboard.sockets.tasks.mend_feeds"),
    "forget readings": every(3600, "wallboard.queues.tasks.forget_old"),
    "apply retention": every(600, "wallboard.privacy.tasks.apply_retention"),
    "go on erasing": every(20, "wallboard.privacy.tasks.run_due_erasures"),
    "forget calls": every(3600, "wallboard.calls.tasks.delete_expired"),
    "calibrate": every(15, "wallboard.calibration.tasks.calibrate"),
    "count service levels": every(30, "wallboard.reports.tasks.count_service_levels"),
    "add up days": every(60, "wallboard.reports.tasks.roll_up_days"),
    "mail reports": every(60, "wallboard.reports.tasks.mail_reports"),
    "look for trouble": every(10, "wallboard.alerts.tasks.look_often"),
    "look for slow trouble": every(60, "wallboard.alerts.tasks.look_seldom"),
    "report TVs that are offline": every(60, "wallboard.screens.tasks.report_offline"),
    "report figures that disagree": every(60, "wallboard.setup.tasks.report_mismatch"),
    "forecast": every(60, "wallboard.forecast.tasks.forecast"),
    "delete old alerts": every(3600, "wallboard.alerts.tasks.delete_old"),
    "catch up with messages": every(2, "wallboard.notifications.tasks.catch_up"),
    "tell programs of calls": every(1, "wallboard.outgoing.tasks.tell_calls"),
    "tell programs of the rest": every(5, "wallboard.outgoing.tasks.tell_the_rest"),
    "delete old events": every(3600, "wallboard.outgoing.tasks.delete_old"),
    "delete old messages": every(3600, "wallboard.notifications.tasks.delete_old"),
    "forget recordings": every(600, "wallboard.replay.tasks.forget_old"),
    "forget people in recordings": every(20, "wallboard.replay.tasks.forget_departed"),
    "read address books": every(60, "wallboard.carddav.tasks.sync_books"),
    "remove companies": every(20, "wallboard.setup.tasks.remove_companies"),
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"no_secrets": {"()": "wallboard.logs.RedactingFilter"}},
    "formatters": {
        "line": {
            "class": "wallboard.logs.RedactingFormatter",
            "format": "{asctime} {levelname:<7} {name}: {message}",
            "style": "{",
        },
        "json": {"()": "wallboard.logs.JsonFormatter"},
    },
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT, "filters": ["no_secrets"]},
    },
    "root": {"handlers": ["console"], "level": "INFO"},
    "loggers": {
        "django.request": {"level": "ERROR"},
        "django.server": {"handlers": ["console"], "level": "WARNING", "propagate": False},
        "django.channels": {"level": "ERROR"},
        "daphne": {"level": "WARNING"},
        "celery.app.trace": {"level": "WARNING"},
        "celery.worker.strategy": {"level": "WARNING"},
        "celery.beat": {"level": "WARNING"},
    },
}
