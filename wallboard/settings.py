"""One file of settings, from the environment; refuses to start half-set. `.env.example` explains each name."""

from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import dj_database_url
from cryptography.fernet import Fernet
from django.core.exceptions import ImproperlyConfigured
from environs import Env, EnvError

BASE_DIR = Path(__file__).resolve().parent.parent
env = Env()
if ENV_FILE := env.str("WALLBOARD_ENV_FILE", str(BASE_DIR / ".env")):
    env.read_env(ENV_FILE, recurse=False)


def refuse(sentence: str) -> None:
    raise ImproperlyConfigured(f"{sentence} .env.example explains every setting.")


def required(name: str) -> str:
    value: str = env.str(name, "").strip()
    if not value:
        refuse(f"Set {name}.")
    return value


def random_text(name: str, *, is_needed: bool) -> str:
    """A secret that nobody may guess: a short or a published one is refused. Whoever has SECRET_KEY is anybody."""
    text: str = required(name) if is_needed else env.str(name, "").strip()
    if text and (len(text) < 32 or len(set(text)) < 10 or text.startswith("django-insecure-")):
        refuse(f"{name} must be at least 32 random characters; `manage.py newkey` makes a good one.")
    return text


def flag(name: str) -> bool:
    try:
        return bool(env.str(name, "") and env.bool(name))
    except EnvError:
        refuse(f"{name} must be 1 or 0.")
        raise


def positive_seconds(name: str, default: float) -> float:
    try:
        value = float(env.str(name, "") or default)
    except (EnvError, ValueError):
        value = 0
    if not 0.2 <= value <= 86_400:
        refuse(f"{name} must be a number of seconds between 0.2 and 86400.")
    return value


def whole_number(name: str, default: int) -> int:
    text = env.str(name, "").strip() or str(default)
    if not text.isdecimal() or len(text) > 4:
        refuse(f"{name} must be a whole number.")
    return int(text)


def is_local(host: str) -> bool:
    """Whether plain http is tolerable: the address cannot leave this machine or this private network."""
    try:
        address = ip_address(host)
    except ValueError:
        return "." not in host or host.endswith((".localhost", ".local", ".test", ".internal"))
    return address.is_loopback or address.is_private


def public_url() -> str:
    url = required("PUBLIC_URL").rstrip("/")
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path or parts.query:
        refuse("PUBLIC_URL must look like https://wallboard.example.com, without a path.")
    if parts.scheme == "http" and not is_local(str(parts.hostname)):
        refuse("PUBLIC_URL must start with https:// when the host can be reached from outside.")
    return url


def token_keys() -> list[str]:
    keys = [key.strip() for key in required("TOKEN_KEYS").split(",") if key.strip()]
    for key in keys:
        try:
            Fernet(key)
        except ValueError:
            refuse("TOKEN_KEYS must be Fernet keys separated by commas, newest first; `manage.py newkey` makes one.")
    return keys


def all_or_none(*names: str) -> None:
    missing = [name for name in names if not env.str(name, "")]
    if missing and len(missing) < len(names):
        refuse(f"Set {', '.join(missing)} too, or none of {', '.join(names)}.")


DEBUG = flag("DEBUG")
SECRET_KEY = random_text("SECRET_KEY", is_needed=True)
TOKEN_KEYS = token_keys()
PUBLIC_URL = public_url()
PUBLIC = urlsplit(PUBLIC_URL)
if DEBUG and not is_local(str(PUBLIC.hostname)):
    refuse("DEBUG must be off when the host of PUBLIC_URL can be reached from outside: it shows settings and code.")
REDIS_URL = required("REDIS_URL")
OPERATOR_TOKEN = random_text("OPERATOR_TOKEN", is_needed=False)
SPOOL_DIR = env.str("SPOOL_DIR", "")
POLL_SECONDS = positive_seconds("POLL_SECONDS", 5)
CHECK_SECONDS = positive_seconds("CHECK_SECONDS", 60)
PROVIDER_BASE_URL = env.str("PROVIDER_BASE_URL", "").rstrip("/")
PROVIDER_CLIENT_ID = env.str("PROVIDER_CLIENT_ID", "")
PROVIDER_CLIENT_SECRET = env.str("PROVIDER_CLIENT_SECRET", "")
PROVIDER_LOGIN_CLIENT_ID = env.str("PROVIDER_LOGIN_CLIENT_ID", "")
PROVIDER_LOGIN_CLIENT_SECRET = env.str("PROVIDER_LOGIN_CLIENT_SECRET", "")
PROVIDER_TIME_ZONE = env.str("PROVIDER_TIME_ZONE", "") or "UTC"
all_or_none("PROVIDER_BASE_URL", "PROVIDER_CLIENT_ID", "PROVIDER_CLIENT_SECRET")
all_or_none("PROVIDER_LOGIN_CLIENT_ID", "PROVIDER_LOGIN_CLIENT_SECRET")

ALLOWED_HOSTS = [host.strip() for host in env.str("ALLOWED_HOSTS", "").split(",") if host.strip()]
if "*" in ALLOWED_HOSTS and not DEBUG:
    refuse("ALLOWED_HOSTS must name hosts, not '*', when DEBUG is off.")
if str(PUBLIC.hostname) not in ALLOWED_HOSTS:
    ALLOWED_HOSTS.append(str(PUBLIC.hostname))
PORT_PART = f":{PUBLIC.port}" if PUBLIC.port else ""
ALLOWED_ORIGINS = [f"{PUBLIC.scheme}://{host}{PORT_PART}" for host in ALLOWED_HOSTS if host != "*"]
CSRF_TRUSTED_ORIGINS = ALLOWED_ORIGINS

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
    "wallboard.queues",
    "wallboard.calls",
    "wallboard.desk",
    "wallboard.alerts",
    "wallboard.boards",
    "wallboard.simulator",
]
MIDDLEWARE = [
    "wallboard.metrics.CountDeliveries",
    "django.middleware.security.SecurityMiddleware",
    "wallboard.middleware.PageSecurity",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "wallboard.middleware.NoteWho",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "wallboard.urls"
ASGI_APPLICATION = "wallboard.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
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


def database() -> dict[str, Any]:
    """SQLite in WAL mode, fsynced at each commit; or PostgreSQL with a pool (persistent ones leak under ASGI)."""
    url = env.str("DATABASE_URL", "") or f"sqlite:///{BASE_DIR / 'wallboard.sqlite3'}"
    try:
        settings: dict[str, Any] = dict(dj_database_url.parse(url))
    except (ValueError, dj_database_url.UnknownSchemeError):
        settings = {"ENGINE": ""}
    settings["CONN_MAX_AGE"] = 0
    if settings["ENGINE"].endswith("sqlite3"):
        settings["OPTIONS"] = {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA temp_store=MEMORY;",
        }
    elif settings["ENGINE"].endswith("postgresql"):
        # Connections that died with the server are not handed out, and a server that was away for long is looked for
        # every two seconds: left alone, the pool would do so ever more rarely, for up to five minutes.
        settings["CONN_HEALTH_CHECKS"] = True
        settings["OPTIONS"] = {
            "pool": {"min_size": 1, "max_size": 12, "timeout": 5, "reconnect_timeout": 5, "max_idle": 60},
            "connect_timeout": 3,
            "options": "-c statement_timeout=20000",
        }
    else:
        refuse("DATABASE_URL must be sqlite:///path or postgres://user:password@host/name.")
    return settings


DATABASES = {"default": database()}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "accounts.User"
LOGIN_URL = "/accounts/login/"
LOGIN_REDIRECT_URL = "/"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("MinimumLengthValidator", "CommonPasswordValidator", "NumericPasswordValidator")
]

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English")]  # those with a catalogue of ours: no page is half translated
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = Path(env.str("STATIC_ROOT", "") or BASE_DIR / "staticfiles")
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "wallboard.storage.HashedStaticFiles"},
}

IS_HTTPS = PUBLIC.scheme == "https"
SESSION_COOKIE_AGE = 14 * 86_400
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = IS_HTTPS
SESSION_COOKIE_SAMESITE = "Lax"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_HSTS_SECONDS = 31_536_000 if IS_HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = False
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]  # other hosts of the domain are not ours to decide about
SECURE_SSL_REDIRECT = IS_HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if IS_HTTPS else None
SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)$"]
TRUSTED_PROXIES = whole_number("TRUSTED_PROXIES", 0)
X_FRAME_OPTIONS = "DENY"
DATA_UPLOAD_MAX_MEMORY_SIZE = 1_048_576
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000  # pages that edit all queues at once: targets have six fields for each

CELERY_BROKER_URL = REDIS_URL
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_TRANSPORT_OPTIONS = {"socket_timeout": 15, "socket_connect_timeout": 3, "health_check_interval": 10}
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_STORE_ERRORS_EVEN_IF_IGNORED = False
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TIMEZONE = "UTC"
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_SEND_TASK_EVENTS = False


def every(seconds: float, task: str) -> dict[str, Any]:
    """A beat entry whose message dies before the next one is due, so that no backlog can burst."""
    return {"task": task, "schedule": seconds, "options": {"expires": seconds * 0.9}}


CELERY_BEAT_SCHEDULE = {
    "keep grants": every(600, "accounts.tasks.keep_grants"),
    "poll queues": every(POLL_SECONDS, "wallboard.queues.tasks.poll_queues"),
    "roll samples": every(20, "wallboard.queues.tasks.roll_samples"),
    "check subscriptions": every(min(CHECK_SECONDS, 10), "wallboard.calls.tasks.check_subscriptions"),
    "sweep calls": every(15, "wallboard.calls.tasks.sweep"),
    "mend feeds": every(15, "wallboard.boards.tasks.mend_feeds"),
    "forget readings": every(3600, "wallboard.queues.tasks.forget_old"),
    "forget callers": every(600, "wallboard.desk.tasks.forget_due"),
    "forget calls": every(3600, "wallboard.calls.tasks.forget_old"),
    "forget alerts": every(3600, "wallboard.alerts.tasks.forget_old"),
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"no_secrets": {"()": "wallboard.logs.WithoutSecrets"}},
    "formatters": {
        "line": {"class": "wallboard.logs.Line", "format": "{asctime} {levelname:<7} {name}: {message}", "style": "{"}
    },
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["no_secrets"]},
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
