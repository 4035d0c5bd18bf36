"""Settings as the environment gives them, checked as they are read; refuses with one sentence about what to set."""

import re
from urllib.parse import SplitResult, urlsplit

from cryptography.fernet import Fernet
from django.core.exceptions import ImproperlyConfigured
from environs import Env, EnvError

from accounts.validators import is_local
from wallboard import first_settings
from wallboard.folders import BASE_DIR
from wallboard.live.backends import addresses
from wallboard.notifications import permitted_addresses

env = Env()
# Set and empty, it reads no file: tests must not depend on whose machine they run.
if ENV_FILE := env.str("WALLBOARD_ENV_FILE", str(BASE_DIR / ".env")):
    try:
        # Else environs would look for one in every folder above.
        env.read_env(ENV_FILE, recurse=False)
    except (OSError, ValueError) as error:
        raise ImproperlyConfigured(first_settings.unread(ENV_FILE, error)) from None


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


def one_of(name: str, *choices: str) -> str:
    """One of these words; the first where nothing is set."""
    text: str = env.str(name, "").strip() or choices[0]
    if text not in choices:
        refuse(f"{name} must be {' or '.join(filter(None, choices))}.")
    return text


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


def public_url() -> str:
    port = env.str("PORT", "") or "8000"
    url = (env.str("PUBLIC_URL", "").strip() or f"http://localhost:{port}").rstrip("/")
    try:
        parts = urlsplit(url)
        is_address = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:  # of a port or a bracket
        is_address = False
    # A path, a query, a user or white space: of these it has none.
    if not is_address or re.search(r"[/?#@\s]", url.partition("://")[2]):
        refuse("PUBLIC_URL must look like https://wallboard.example.com, without a path.")
    if parts.scheme == "http" and not is_local(str(parts.hostname)):
        refuse("PUBLIC_URL must start with https:// when the host can be reached from outside.")
    return url


def redis_address(name: str, default: str = "") -> addresses.Address:
    """An address of Redis; `default` where nothing is set, and required without one."""
    url: str = env.str(name, "").strip() or default or required(name)
    try:
        return addresses.parsed(url)
    except ValueError as error:
        refuse(
            f"{name} must be redis://host:6379/0, redis+sentinel://host:26379,host:26379,host:26379/name/0 or "
            f"redis+cluster://host:6379,host:6379,host:6379, with rediss for TLS ({error})."
        )
        raise


def broker_address(feeds: addresses.Address) -> addresses.Address:
    """The Redis that carries the tasks: that of the feeds, unless another is named. A cluster cannot carry them."""
    address = redis_address("TASKS_REDIS_URL", feeds.url)
    if address.is_cluster:
        refuse("TASKS_REDIS_URL must name a Redis that is no cluster, as Celery cannot use one; REDIS_URL may be one.")
    return address


def token_keys() -> list[str]:
    keys = [key.strip() for key in required("TOKEN_KEYS").split(",") if key.strip()]
    for key in keys:
        try:
            Fernet(key)
        except ValueError:
            refuse("TOKEN_KEYS must be Fernet keys separated by commas, newest first; `manage.py newkey` makes one.")
    return keys


def networks(name: str) -> tuple[permitted_addresses.Network, ...]:
    texts = [text.strip() for text in env.str(name, "").split(",") if text.strip()]
    try:
        return permitted_addresses.networks(texts)
    except ValueError:
        refuse(f"{name} must be addresses or networks such as 10.20.0.0/16, separated by commas.")
        raise


def smtp_url() -> SplitResult | None:
    """The installation's mail server, or None; half an address is refused here and not when somebody needs the mail."""
    url = env.str("SMTP_URL", "").strip()
    if not url:
        return None
    try:
        parts = urlsplit(url)
        is_good = parts.scheme in ("smtp", "smtp+starttls", "smtps") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_good = False
    if not is_good or parts.path.strip("/") or parts.query:
        refuse("SMTP_URL must look like smtp+starttls://user:password@mail.example.com:587, smtps:// or smtp://.")
    return parts


def all_or_none(*names: str) -> None:
    missing = [name for name in names if not env.str(name, "")]
    if missing and len(missing) < len(names):
        refuse(f"Set {', '.join(missing)} too, or none of {', '.join(names)}.")
