"""The stored address of the installation: what is taken, who follows it, and what of Django's settings goes with it."""

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings as kept
from django.core.exceptions import ValidationError
from django.test import Client

from accounts.companies import addresses, editing, hosts, public_address
from accounts.companies.installation_row import Installation
from accounts.models import AuditEntry, User
from tests.accounts.conftest import make_domain
from tests.harness.environment import SETTINGS
from tests.harness.site import bare_environment
from wallboard.demo.processes import BASE_DIR

pytestmark = pytest.mark.django_db
NEW = "https://wall.example.com"
FOLLOWING = (
    *("PUBLIC_URL", "PREVIOUS_URL", "PUBLIC", "PORT_PART", "IS_HTTPS", "IS_PUBLIC_URL_FIXED", "SECURE_SSL_REDIRECT"),
    *("SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_HSTS_SECONDS", "SECURE_PROXY_SSL_HEADER"),
)


@pytest.fixture
def free(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Iterator[None]:
    """The environment names no address: the process starts at http://testserver as if that were made up."""
    for name in FOLLOWING:
        setattr(settings, name, getattr(kept, name))
    settings.ALLOWED_HOSTS = ["testserver"]
    settings.IS_PUBLIC_URL_FIXED = False
    # Every look counts: another process may have changed the row a moment ago.
    monkeypatch.setattr(public_address, "FRESH_SECONDS", 0.0)
    yield
    settings.ALLOWED_HOSTS = ["testserver"]


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        (" https://Wall.Example.com/ ", NEW),
        ("https://wall.example.com:443", NEW),
        ("http://localhost:8000", "http://localhost:8000"),
        ("http://192.168.1.4", "http://192.168.1.4"),
    ],
)
def test_an_address_is_stored_as_browsers_write_it(typed: str, stored: str, free: None) -> None:
    assert public_address.checked(typed) == stored


@pytest.mark.parametrize(
    "typed",
    [
        "wall.example.com",
        "ftp://wall.example.com",
        "http://wall.example.com",
        "https://wall.example.com/board",
        "https://wall.example.com?x",
        "https://a@wall.example.com",
        "https://wall.example.com:0",
        "https://wall.example.com:99999",
        "https://-wall.example.com",
        "https://*",
        "https://wall.example.com\\.evil.test",
        "https://acme.example.com",
    ],
)
def test_what_cannot_be_an_address_is_refused(typed: str, free: None) -> None:
    make_domain("acme", host="acme.example.com")

    with pytest.raises(ValidationError):
        public_address.checked(typed)


def test_every_process_follows_what_another_one_stored(free: None) -> None:
    domain = make_domain("main")
    before = addresses.of(domain)
    Installation.objects.create(pk=1, public_url=NEW, previous_url="http://testserver")  # by another process
    proxied = {"host": "wall.example.com", "x-forwarded-proto": "https"}

    page = Client(headers=proxied).get("/accounts/password/")
    plain = Client(headers={"host": "testserver"}).get("/accounts/password/")

    assert before == "http://testserver"
    assert addresses.of(domain) == NEW
    assert page.status_code == 200
    assert page.cookies["csrftoken"]["secure"]
    assert page.headers["Strict-Transport-Security"] == "max-age=31536000"
    assert "connect-src 'self' wss://wall.example.com;" in page.headers["Content-Security-Policy"]
    # Whoever comes to the previous address is led to the new one.
    assert plain.headers["Location"] == f"{NEW}/accounts/password/"
    assert hosts.origins_at("wall.example.com") == [NEW]


def test_the_environment_wins_over_what_is_stored(free: None, settings: Any) -> None:
    settings.IS_PUBLIC_URL_FIXED = True
    Installation.objects.create(pk=1, public_url=NEW)

    assert public_address.url() == "http://testserver"
    assert Client(headers={"host": "wall.example.com"}).get("/accounts/password/").status_code == 400


def test_forms_count_at_the_new_address_and_no_longer_from_the_old_one(free: None) -> None:
    public_address.store("http://wall.localhost")
    client = Client(enforce_csrf_checks=True, headers={"host": "wall.localhost"})
    client.get("/accounts/password/")
    form = {"csrfmiddlewaretoken": client.cookies["csrftoken"].value, "username": "a", "password": "b"}

    own = client.post("/accounts/password/", form, headers={"origin": "http://wall.localhost"})
    old = client.post("/accounts/password/", form, headers={"origin": "http://testserver"})

    assert (own.status_code, old.status_code) == (400, 403)


def test_the_previous_host_can_become_a_companys(free: None) -> None:
    public_address.store("http://new.localhost")
    public_address.store("http://newer.localhost")
    refused = Client(headers={"host": "testserver"}).get("/accounts/password/").status_code
    leading = Client(headers={"host": "new.localhost"}).get("/accounts/login/")
    editing.add("Acme", host="new.localhost")
    of_company = Client(headers={"host": "new.localhost"}).get("/accounts/login/")

    assert refused == 400  # two moves ago
    assert leading.headers["Location"].startswith("http://newer.localhost/accounts/login/")
    assert of_company.status_code == 200
    assert "public address changed" in AuditEntry.objects.values_list("what", flat=True)


def test_the_key_to_the_new_address_counts_once(free: None) -> None:
    user = User.objects.create_user("ada")
    public_address.store(NEW)
    key = public_address.key_for(user)

    assert public_address.user_of("another") is None
    assert public_address.user_of("") is None
    assert public_address.user_of(key) == user
    assert public_address.user_of(key) is None
    later = public_address.key_for(user)
    User.objects.update(is_active=False)
    assert public_address.user_of(later) is None


@pytest.mark.parametrize("address", [NEW, "https://wall.example.com:8443", "http://localhost:8000"])
def test_what_follows_is_what_the_settings_say_of_such_an_environment(address: str, free: None, settings: Any) -> None:
    public_address.store(address)
    names = [name for name in FOLLOWING if name not in ("PUBLIC", "PREVIOUS_URL", "IS_PUBLIC_URL_FIXED")]
    script = f"import json; from wallboard import settings as s; print(json.dumps([getattr(s, n) for n in {names}]))"
    env = bare_environment(PUBLIC_URL=address, **_keys())
    done = subprocess.run([sys.executable, "-c", script], env=env, cwd=BASE_DIR, capture_output=True, text=True)

    said = json.loads(done.stdout)
    assert said == json.loads(json.dumps([getattr(kept, name) for name in names]))
    assert urlsplit(address) == kept.PUBLIC


def _keys() -> dict[str, str]:
    return {name: SETTINGS[name] for name in ("SECRET_KEY", "TOKEN_KEYS", "REDIS_URL")}
