"""A whole installation at the loudest, with known secrets: none is found in any log, queue, dump, metric or page.

What is looked for is what the installation really used: the credentials, tokens, hook paths and codes of this run.
"""

import base64
import json
import re
import signal
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
import redis
import requests

from tests.harness.site import Site, running_site

pytestmark = pytest.mark.flow
EXTENSION = "101"
POLL = "wallboard.queues.tasks.poll_queues"
UNSEAL = """
import json
from accounts.tokens.key_rotation import sealed_columns
found = [getattr(row, column).open() for model, column in sealed_columns() for row in model.objects.all()]
print(json.dumps([text for text in found if text]))
"""


@pytest.fixture(scope="module")
def noisy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    env = {"DJANGO_SETTINGS_MODULE": "tests.security.noisy_settings"}
    with running_site(tmp_path_factory.mktemp("noisy"), {"agents": 6, "queues": 3}, env) as site:
        yield site


@pytest.fixture(scope="module")
def secrets(noisy: Site) -> dict[str, str]:
    """Everything secret that the installation used while it did all it does, by what it is."""
    found = {"TV token": noisy.manage("screen", "main").strip().rstrip("/").rsplit("/", 1)[1]}
    found |= signed_in(noisy)
    found |= told_by_the_database(noisy)
    names = ("SECRET_KEY", "TOKEN_KEYS", "PROVIDER_CLIENT_SECRET", "PROVIDER_LOGIN_CLIENT_SECRET")
    found |= {name: noisy.env[name] for name in names}
    misused(noisy, found)
    assert len(found) > 12
    return found


def signed_in(site: Site) -> dict[str, str]:
    """Sign in as a browser does; gives the secrets on the way."""
    browser = requests.Session()
    start = browser.get(
        f"{site.url}/accounts/login/start/", params={"domain": "main"}, allow_redirects=False, timeout=10
    )
    away = start.headers["Location"]
    back = requests.post(away, data={"extension": EXTENSION}, allow_redirects=False, timeout=10).headers["Location"]
    assert browser.get(back, allow_redirects=False, timeout=20).status_code == 302
    browser.get(back, timeout=10)  # used twice, which is refused
    query = parse_qs(urlsplit(back).query)
    browser.get(f"{site.url}/pair/", timeout=10)
    cookies = {cookie.name: str(cookie.value) for cookie in browser.cookies}
    return {"code": query["code"][0], "state": query["state"][0], **cookies}


def told_by_the_database(site: Site) -> dict[str, str]:
    """What is sealed there: client secrets, tokens and hook paths."""
    texts: list[str] = json.loads(site.manage("shell", "-v0", "-c", UNSEAL))
    hooks = {match for text in texts for match in re.findall(r"/hooks/([^/\"]+)", text)}
    plain = {text for text in texts if "{" not in text}
    return {f"sealed {number}": text for number, text in enumerate(sorted(hooks | plain))}


def misused(site: Site, found: dict[str, str]) -> None:
    """Everything goes wrong that makes software talkative."""
    hooks = [f"{site.url}/hooks/{text}" for name, text in found.items() if name.startswith("sealed")]
    for hook in hooks:
        requests.get(hook, timeout=10)
        requests.post(hook, b"{nonsense", timeout=10)
        requests.post(f"{hook}x", b"{}", timeout=10)
    for path in (f"/screen/{found['TV token']}/", f"/screen/{found['TV token']}x/", f"/nowhere?code={found['code']}"):
        site.get(path)
    site.get("/boards/main/", headers={"Authorization": f"Bearer {found['state']}"}, cookies={"screen": found["code"]})
    site.kill("simulator", signal.SIGSTOP)
    site.manage("shell", "-v0", "-c", "from accounts.models import *; CompanyToken.objects.update(usable_until=None)")
    site.kill("worker", signal.SIGSTOP)
    site.wait(lambda: len(queued(site)) > 3 and any(POLL in message for message in queued(site)), 30)
    site.kill("simulator", signal.SIGCONT)


def queued(site: Site) -> list[str]:
    """The messages that no worker took yet."""
    with redis.Redis.from_url(site.env["REDIS_URL"], decode_responses=True) as client:
        return list(client.lrange("celery", 0, -1))


def redis_dump(site: Site) -> str:
    """Every key and value as text; the bodies of Celery's messages decoded."""
    parts: list[str] = []
    with redis.Redis.from_url(site.env["REDIS_URL"], decode_responses=True, encoding_errors="replace") as client:
        readers = {
            *(("string", client.get), ("hash", client.hgetall), ("set", client.smembers), ("stream", client.xrange)),
            ("list", lambda key: client.lrange(key, 0, -1)),
            ("zset", lambda key: client.zrange(key, 0, -1)),
        }
        read = dict(readers)
        for key in client.scan_iter(count=1000):
            parts += [key, str(read[str(client.type(key))](key))]
    text = "\n".join(parts)
    bodies = [base64.b64decode(body).decode("utf-8", "replace") for body in re.findall(r'"body": "([\w+/=]+)"', text)]
    assert bodies
    return text + "".join(bodies)


def hits(text: str, secrets: dict[str, str]) -> list[str]:
    return [name for name, secret in secrets.items() if secret in text]


def test_nothing_secret_is_in_any_log(noisy: Site, secrets: dict[str, str]) -> None:
    logs = {name: noisy.log(name) for name in ("web", "worker", "beat", "redis")}

    assert all("DEBUG" in logs[name] for name in ("web", "worker", "beat"))
    assert {name: hits(text, secrets) for name, text in logs.items() if hits(text, secrets)} == {}


def test_nothing_secret_is_in_redis_or_in_celerys_messages(noisy: Site, secrets: dict[str, str]) -> None:
    dump = redis_dump(noisy)

    assert POLL in dump
    assert hits(dump, secrets) == []


def test_nothing_secret_is_in_a_dump_of_the_database(noisy: Site, secrets: dict[str, str]) -> None:
    dump = noisy.manage("dumpdata", "--format", "json")
    sessions = {"sessionid": ""}  # Django keeps its key as it is: docs/security.md says so

    assert '"model": "calls.subscription"' in dump
    assert hits(dump, {name: text for name, text in secrets.items() if name not in sessions}) == []


@pytest.mark.parametrize(
    "path", ["/metrics", "/readyz", "/nowhere/", "/accounts/callback/?code=x&state=y", "/screen/x/"]
)
def test_nothing_secret_is_on_a_page_for_anybody(path: str, noisy: Site, secrets: dict[str, str]) -> None:
    answer = noisy.get(path)

    assert hits(answer.text + str(answer.headers), secrets) == []


def test_the_search_would_find_them(secrets: dict[str, str]) -> None:
    text = f"GET /hooks/{secrets['sealed 0']}/ HTTP/1.1"

    assert "sealed 0" in hits(text, secrets)
