"""The program as it was released, beside the present one on the same database, Redis and keys."""

import io
import json
import subprocess
import tarfile
from pathlib import Path

import requests

from tests.harness.commands import Commands
from tests.harness.released import COMMIT
from tests.harness.setting_up import collect, migrate
from tests.harness.site import bare_environment
from wallboard.demo import redis_server
from wallboard.demo.processes import BASE_DIR, Child, free_port, procfile, wait_until

PARTS = ("accounts", "wallboard", "templates", "static", "manage.py", "Procfile")
PAGES = ("/boards/main/", "/calls/", "/people/", "/alerts/", "/reports/", "/desk/", "/accounts/", "/setup/", "/healthz")
TAKE_BACK = """
from django.apps import apps
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from tests.harness.released import MIGRATIONS
for app, name in MigrationLoader(connection).graph.leaf_nodes():
    is_ours = apps.get_app_config(app).name.partition(".")[0] in ("accounts", "wallboard")
    released = MIGRATIONS.get(app, "zero" if is_ours else name)
    if released != name:
        call_command("migrate", app, released, verbosity=0)
"""
SEED = """
import json, secrets
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from accounts.encryption import sealed
from accounts.models import Domain, Person, User
from wallboard.calls.models import Subscription
from wallboard.calls.webhooks import hook_secrets
domain, secret = Domain.objects.get(), secrets.token_urlsafe(32)
columns = {"kind": "calls", "secret": sealed(secret), "secret_hash": hook_secrets.hash_of(secret)}
Subscription.objects.create(domain=domain, **columns)
user = User.objects.create(username="ada")
Person.objects.create(domain=domain, user=user, extension="101", name="Ada", role="administrator")
session = SessionStore()
session[SESSION_KEY] = str(user.pk)
session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
session[HASH_SESSION_KEY] = user.get_session_auth_hash()
session.save()
print(json.dumps([secret, session.session_key]))
"""


def unpacked(folder: Path) -> bool:
    """Put the released program into the folder; False where this clone has no history that reaches back to it."""
    command = ["git", "archive", "--format=tar", COMMIT, *PARTS]
    done = subprocess.run(command, cwd=BASE_DIR, capture_output=True)
    if done.returncode:
        return False
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as files:
        files.extractall(folder, filter="data")
    return True


class Program:
    """One release: its commands, and its web process on a port of its own."""

    def __init__(self, code: Path, folder: Path, env: dict[str, str]) -> None:
        self.code, self.port = code, free_port()
        self.env = env | {"STATIC_ROOT": str(folder / f"static-{self.port}")}
        self.url = f"http://127.0.0.1:{self.port}"
        self.commands = Commands(self.env, code)
        self.web = Child("web", procfile(self.port)["web"], folder / f"web-{self.port}.log", self.env, cwd=code)

    def manage(self, *arguments: str) -> str:
        """Run its manage.py: what it printed; fails with its output when it fails."""
        return self.commands.manage(*arguments)

    def start(self) -> None:
        """Start its web process, and wait until it answers."""
        self.web.start()
        assert wait_until(self._answers, 60), self.web.tail()

    def statuses(self, cookie: str) -> dict[str, int]:
        """What its pages answer to whoever has this session."""
        headers = {"Cookie": f"sessionid={cookie}"}
        return {
            page: requests.get(self.url + page, headers=headers, timeout=20, allow_redirects=False).status_code
            for page in PAGES
        }

    def _answers(self) -> bool:
        try:
            return requests.get(f"{self.url}/healthz", timeout=2).ok
        except requests.RequestException:
            return False


class TwoReleases:
    """An installation of the released program with a company, somebody signed in, and an address for call events."""

    def __init__(self, folder: Path, database_url: str) -> None:
        code = folder / "before"
        code.mkdir()
        self.has_history = unpacked(code)
        self.redis_port = free_port()
        self.redis = redis_server.child(self.redis_port, folder)
        env = bare_environment(
            SECRET_KEY="only-for-tests-0123456789-abcdefghijklmnopqrstuvwxyz-ABCDEFG",
            TOKEN_KEYS="b25seSBmb3IgdGVzdHM6IHRoaXJ0eS10d28gYnl0ZXM=",
            PUBLIC_URL="http://127.0.0.1",
            REDIS_URL=f"redis://127.0.0.1:{self.redis_port}/0",
            DATABASE_URL=database_url or f"sqlite:///{folder / 'site.sqlite3'}",
            PROVIDER_BASE_URL="http://127.0.0.1:1",
            PROVIDER_CLIENT_ID="id",
            PROVIDER_CLIENT_SECRET="secret",
            # A migration can hold the one lock of SQLite for longer than a delivery waits.
            SPOOL_DIR="" if database_url else str(folder / "spool"),
        )
        self.old = Program(code if self.has_history else BASE_DIR, folder, env)
        self.new = Program(BASE_DIR, folder, env)
        self.secret = self.cookie = ""

    def start(self) -> None:
        """The released program alone, prepared and serving."""
        self.redis.start()
        assert wait_until(lambda: redis_server.answers(self.redis_port), 10), self.redis.tail()
        migrate(self.new.env)  # a copy of what is there already, taken back: sooner than every migration anew
        self.new.manage("shell", "-v0", "-c", TAKE_BACK)
        collect(self.new.env)  # beforehand, as in an image
        self.old.manage("setup", "--no-static")
        told = self.old.manage("shell", "-v0", "-c", SEED)
        self.secret, self.cookie = json.loads(told.strip().splitlines()[-1])
        self.old.manage("collectstatic", "-v0", "--noinput")
        self.old.start()

    def stop(self) -> None:
        """End everything."""
        for each in (self.new.commands, self.old.commands, self.new.web, self.old.web, self.redis):
            each.stop()
