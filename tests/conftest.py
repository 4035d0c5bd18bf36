"""What every test stands on: an environment of its own, real servers, and no network beyond this machine."""

import gc
import os
import shutil
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from typing import Any

import django

from tests.harness import own_networks
from tests.harness.environment import SCRATCH  # and with it the environment that Django reads

django.setup()
(SCRATCH / "static").mkdir(parents=True, exist_ok=True)  # WhiteNoise warns of a missing one

import pytest  # noqa: E402
import pytest_django  # noqa: E402
import redis  # noqa: E402
from django.core.cache import cache  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client, override_settings  # noqa: E402
from django.utils import translation  # noqa: E402
from playwright.sync_api import Browser, Page, Playwright  # noqa: E402

from accounts.models import User  # noqa: E402
from tests.harness.browser import Pages, launched, quick, running_playwright  # noqa: E402
from tests.harness.database import drop, on_postgres, url_of  # noqa: E402
from tests.harness.emptying import quick_flush  # noqa: E402
from tests.harness.redis import RedisServer, running_redis  # noqa: E402
from tests.harness.setting_up import migrate  # noqa: E402
from tests.harness.simulator import Simulator  # noqa: E402
from tests.harness.site import Site, bare_environment, running_site  # noqa: E402
from wallboard import garbage  # noqa: E402
from wallboard.calls.webhooks import starting  # noqa: E402
from wallboard.calls.webhooks.committer import committer  # noqa: E402
from wallboard.notifications.permitted_addresses import networks  # noqa: E402

# Whoever imports wallboard.asgi in here is no web process, and must not write into the tests' database by itself.
starting.start = lambda: None
# Tests leave little behind; Python's own 700 objects between two looks cost them an eighth of their time.
gc.set_threshold(50_000, 20, 50)
# Hypothesis asks who holds an object, and is told nobody of what lies aside.
garbage.aside.begin = lambda: None  # type: ignore[method-assign]

pytest_plugins = ["tests.harness.reporting", "tests.harness.canaries"]
MakeSimulator = Callable[..., Simulator]
MakeSite = Callable[..., Site]
FLOW_FIXTURES = {"simulator", "make_simulator", "site", "make_site", "quiet_installation"}


@pytest.fixture(scope="session")
def django_db_modify_db_settings() -> None:
    """The tests' database is a copy of a migrated one. On SQLite it is a file, as an installation has one: threads
    share it, and its locks are real."""
    usual = connection.settings_dict["NAME"]
    name = f"test_{usual}" if on_postgres() else str(SCRATCH / "tests.sqlite3")
    migrate({**os.environ, "DATABASE_URL": url_of(name)})
    connection.settings_dict["TEST"]["NAME"] = name


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """Django takes the migrated database as it is."""
    return True


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: pytest_django.DjangoDbBlocker) -> Iterator[None]:
    """On PostgreSQL the database goes with the run, whoever is still connected."""
    name = connection.settings_dict["NAME"]
    yield
    committer.stop()
    with django_db_blocker.unblock():
        connection.close()
    if on_postgres():
        drop(name)


@pytest.fixture
def superuser(db: None, settings: Any) -> Client:
    """A browser with a superuser, for the admin site; its pages name their files plainly, as nothing is collected."""
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = settings.STORAGES | {"staticfiles": plain}
    client = Client()
    client.force_login(User.objects.create_superuser("root", password="irrelevant-here"))
    return client


@pytest.fixture(scope="session", autouse=True)
def _quick_passwords() -> Iterator[None]:
    """Passwords of tests need not withstand anybody: half a second for each adds up."""
    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        yield


@pytest.fixture(autouse=True)
def _nothing_cached() -> None:
    """Rows of two tests may have the same keys, and one that travels back in time finds what is not out of date."""
    cache.clear()


@pytest.fixture(autouse=True)
def _in_english() -> None:
    """A request leaves its language to whoever sent it from here; a server has a context for each."""
    translation.deactivate()


@pytest.fixture(scope="session", autouse=True)
def _quick_flush() -> Iterator[None]:
    """Tests that commit leave empty tables."""
    with quick_flush():
        yield


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """One real Redis for the whole run; `redis_url` gives it empty to each test."""
    with running_redis(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture
def redis_url(redis_server: RedisServer, settings: Any) -> str:
    """The address of an empty Redis, which settings.REDIS_URL points at too."""
    with redis.Redis.from_url(redis_server.url) as client:
        client.flushall()
    settings.REDIS_URL = settings.TASKS_REDIS_URL = redis_server.url
    return redis_server.url


@pytest.fixture
def loopback_allowed(settings: Any) -> None:
    """What goes out may go to programs on this machine, as an operator allows it."""
    settings.OUTBOUND_ALLOWED_NETWORKS = networks(["127.0.0.1"])


@pytest.fixture(scope="session", autouse=True)
def _no_network() -> Iterator[None]:
    """Connections from this process may only go to this machine."""
    really_connect = socket.socket.connect

    def connect(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6) and not own_networks.is_ours(address[0]):
            raise OSError(f"Tests may not reach {address[0]}.")
        really_connect(self, address)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", connect)
        yield


@pytest.fixture
def make_simulator(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MakeSimulator]:
    """Start a provider with further flags (`agents=3`, `scenario="quiet"`); all of them end with the test."""
    with ExitStack() as running:

        def make(redirect_uri: str = "http://testserver/accounts/callback/", **options: object) -> Simulator:
            folder = tmp_path_factory.mktemp("simulator")
            simulator = Simulator(folder, bare_environment(), redirect_uri, options)
            running.callback(simulator.child.stop)
            simulator.start()
            return simulator

        yield make


@pytest.fixture
def simulator(make_simulator: MakeSimulator) -> Simulator:
    """The provider's service in a process of its own."""
    return make_simulator()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One whole installation for the tests that leave it as they found it; others take `make_site`."""
    with running_site(tmp_path_factory.mktemp("site"), {}, {}) as shared:
        yield shared


@pytest.fixture
def make_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MakeSite]:
    """Start an installation of the test's own, to be killed and frozen; takes settings and flags of the provider."""
    with ExitStack() as running:

        def make(env: Mapping[str, str] | None = None, **options: object) -> Site:
            return running.enter_context(running_site(tmp_path_factory.mktemp("site"), options, env or {}))

        yield make


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """What starts browsers."""
    with running_playwright() as running:
        yield running


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """A Chromium, headless."""
    with launched(playwright, quick()) as running:
        yield running


@pytest.fixture
def pages(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Pages]:
    """Opens pages with cookies of their own. What their consoles complain about fails the test, except what
    `@pytest.mark.console_may_say(regex)` expects."""
    marker = request.node.get_closest_marker("console_may_say")
    opened = Pages(browser, marker.args[0] if marker else "")
    yield opened
    opened.close()


@pytest.fixture
def page(pages: Pages) -> Page:
    """One empty page, 1280 x 720."""
    return pages.open()


def pytest_unconfigure() -> None:
    """Leave no files behind."""
    shutil.rmtree(SCRATCH, ignore_errors=True)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests by the fixtures they take, and put them in order.

    Browser tests come last, for Playwright's loop bars asyncio after it. Those of one installation come together, after
    those without: it runs until the end.
    """
    for item in items:
        taken = set(getattr(item, "fixturenames", ()))
        if "browser" in taken:
            item.add_marker("browser")
        if taken & FLOW_FIXTURES:
            item.add_marker("flow")
    items.sort(key=lambda item: (item.get_closest_marker("browser") is not None, *installations(item)))


def installations(item: pytest.Item) -> tuple[bool, ...]:
    """Which of the installations that run until the end the test takes."""
    taken = getattr(item, "fixturenames", ())
    return tuple(name in taken for name in ("site", "quiet_installation"))
