"""The wizard against the simulated provider: what it tries, keeps, refuses, and where it goes on."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from accounts.models import AuditEntry, CompanyToken, Domain, Grant, Person, User
from accounts.signin import joining
from accounts.signin.start_throttle import StartThrottle
from tests.harness.simulator import Simulator
from tests.harness.site import bare_environment
from wallboard import health
from wallboard.calls.models import Subscription
from wallboard.queues import pacing
from wallboard.queues.models import Queue, Target
from wallboard.setup.starting import answers, steps, way_in
from wallboard.setup.views import start
from wallboard.telephony import connections, trying
from wallboard.telephony.trying import Tried, Verdict

pytestmark = pytest.mark.django_db
PROVIDER = "/setup/start/provider/"
LOGIN = "/setup/start/login/"


@pytest.fixture(scope="module")
def provider(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Simulator]:
    running = Simulator(tmp_path_factory.mktemp("simulator"), bare_environment())
    running.start()
    yield running
    running.child.stop()


@pytest.fixture
def empty() -> Domain:
    """A company of which nothing is known."""
    return Domain.objects.create(slug="main", name="Your company")


@pytest.fixture
def admin(empty: Domain, redis_url: str, monkeypatch: pytest.MonkeyPatch) -> Client:
    """The first administrator, who has no extension yet."""
    monkeypatch.setattr(start, "tries", StartThrottle(start.MOST_TRIES))
    user = User.objects.create_user("ada", password="a-long-enough-phrase")
    kept = {"extension": joining.LOCAL_EXTENSION, "role": "administrator", "is_hidden": True}
    Person.objects.create(domain=empty, user=user, **kept)
    client = Client()
    client.force_login(user)
    connections.session().close()
    return client


def entered(provider: Simulator, **changed: str) -> dict[str, str]:
    """What the first page asks for."""
    known = {"base_url": provider.base_url, "client_id": provider.client_id, "client_secret": provider.client_secret}
    return {"name": "Brandt Werkzeuge", "time_zone": "Europe/Berlin", "country": "DE", **known, **changed}


def test_credentials_that_work_are_kept_sealed_and_the_queues_are_there(admin: Client, provider: Simulator) -> None:
    answer = admin.post(PROVIDER, entered(provider, base_url=f" {provider.base_url}/api/ "))

    assert answer.headers["Location"] == LOGIN
    domain = Domain.objects.get()
    assert (domain.name, domain.base_url) == ("Brandt Werkzeuge", provider.base_url)
    assert domain.client_secret.open() == provider.client_secret
    assert provider.client_secret not in str(domain.client_secret)
    assert Queue.objects.filter(domain=domain).exists()
    assert admin.get("/setup/start/").headers["Location"] == LOGIN
    shown = admin.get(PROVIDER).content.decode()
    assert provider.client_id in shown
    assert provider.client_secret not in shown
    assert provider.client_secret not in str(list(AuditEntry.objects.values_list("changes", flat=True)))


def test_queues_that_the_try_showed_are_kept_though_the_next_reading_fails(
    admin: Client, provider: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wallboard.queues.polling.poll_now", lambda domain: None)

    admin.post(PROVIDER, entered(provider))

    told = trying.company(provider.base_url, provider.client_id, provider.client_secret).queues
    assert sorted(Queue.objects.values_list("number", flat=True)) == sorted(told)
    [number, *_] = sorted(told)
    assert number in admin.get("/setup/start/queues/").content.decode()


def test_what_does_not_work_is_explained_and_not_kept(admin: Client, provider: Simulator) -> None:
    answer = admin.post(PROVIDER, entered(provider, client_secret="wrong"))

    assert answer.status_code == 400
    assert "refuses the client id or its secret" in answer.content.decode()
    assert Domain.objects.get().base_url == ""
    assert "wrong" not in answer.content.decode()


@pytest.mark.parametrize("verdict", [each for each in Verdict if each != Verdict.GOOD])
def test_whatever_went_wrong_is_told_with_what_to_do(verdict: Verdict) -> None:
    words = answers.of(Tried(verdict, 400, 120.0))

    assert words.summary.endswith(".")
    assert words.advice.endswith(".")


def test_a_stored_secret_goes_nowhere_else(admin: Client, provider: Simulator) -> None:
    admin.post(PROVIDER, entered(provider))
    admin.post(LOGIN, {"client_id": provider.login_client_id, "client_secret": provider.login_client_secret})

    again = admin.post(PROVIDER, entered(provider, client_secret=""))
    elsewhere = admin.post(PROVIDER, entered(provider, client_secret="", base_url="http://127.0.0.1:1"))

    assert again.status_code == 302
    assert elsewhere.status_code == 400
    assert "secret that belongs to this address" in elsewhere.content.decode()
    # Another host gets the login secret no more than the other one.
    Grant.objects.create(domain=Domain.objects.get(), user=User.objects.get())
    other = provider.base_url.replace("127.0.0.1", "localhost")
    assert admin.post(PROVIDER, entered(provider, base_url=other)).status_code == 302
    assert Domain.objects.get().login_client_id == ""
    assert Domain.objects.get().login_client_secret == ""
    # That ends every sign-in but this one: there would be no way to enter others.
    assert not Grant.objects.exists()
    assert admin.get(LOGIN).status_code == 200


@pytest.mark.parametrize("address", ["http://8.8.8.8", "ftp://phones.example.com", "https://u:p@phones.example.com"])
def test_addresses_that_secrets_must_not_go_to(admin: Client, provider: Simulator, address: str) -> None:
    assert admin.post(PROVIDER, entered(provider, base_url=address)).status_code == 400
    assert not CompanyToken.objects.exists()


def test_tries_are_slowed_down(admin: Client, provider: Simulator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start, "tries", StartThrottle(0))

    assert "Too many tries" in admin.post(PROVIDER, entered(provider)).content.decode()
    assert Domain.objects.get().base_url == ""


def test_login_credentials_are_tried_and_the_redirect_address_shown(admin: Client, provider: Simulator) -> None:
    assert "Connect the provider first" in admin.get(LOGIN).content.decode()
    admin.post(PROVIDER, entered(provider))
    page = admin.get(LOGIN).content.decode()
    wrong = admin.post(LOGIN, {"client_id": provider.login_client_id, "client_secret": "wrong"})
    right = admin.post(LOGIN, {"client_id": provider.login_client_id, "client_secret": provider.login_client_secret})

    assert "http://testserver/accounts/callback/" in page
    assert wrong.status_code == 400
    assert "refuses the login client id or its secret" in wrong.content.decode()
    assert right.headers["Location"] == "/setup/start/link/"
    assert Domain.objects.get().login_client_secret.open() == provider.login_client_secret


def test_a_redirect_address_that_the_portal_lacks_is_told(admin: Client, provider: Simulator, settings: Any) -> None:
    admin.post(PROVIDER, entered(provider))
    settings.PUBLIC_URL = "http://elsewhere.test"

    answer = admin.post(LOGIN, {"client_id": provider.login_client_id, "client_secret": provider.login_client_secret})

    assert "refuses the redirect address" in answer.content.decode()
    assert Domain.objects.get().login_client_id == ""


def test_the_environment_wins_and_the_page_says_so(admin: Client, provider: Simulator, settings: Any) -> None:
    settings.PROVIDER_BASE_URL = "https://of-the-environment.example"
    settings.PROVIDER_CLIENT_ID = "theirs"

    page = admin.get(PROVIDER).content.decode()
    answer = admin.post(PROVIDER, entered(provider))

    assert "PROVIDER_BASE_URL" in page
    assert 'name="client_secret"' not in page
    assert answer.status_code == 400
    assert Domain.objects.get().client_id == ""


def test_the_subscription_is_asked_for_and_its_state_told(admin: Client, provider: Simulator) -> None:
    admin.post(PROVIDER, entered(provider))

    admin.post("/setup/start/events/", {"ask": ""})
    row = Subscription.objects.get(kind="calls")
    before = admin.get("/setup/start/events/state/").json()
    Subscription.objects.filter(pk=row.pk).update(state=Subscription.State.READY)
    after = admin.get("/setup/start/events/state/").json()

    assert row.provider_id
    assert not before["is_ready"]
    assert "reachable" in before["advice"]
    assert after["is_ready"]


def test_nothing_is_asked_of_a_provider_that_nobody_named(admin: Client, empty: Domain) -> None:
    admin.post("/setup/start/events/", {"ask": ""})
    admin.post("/setup/check/")

    assert not Subscription.objects.exists()
    assert "Nobody has entered the provider" in admin.get("/setup/").content.decode()
    assert list(health.domain_reasons(empty)) == ["nobody has connected it to its provider: go on at /setup/start/."]
    assert not pacing.connected().exists()


def test_what_stands_in_the_way_is_found_by_trying(admin: Client, empty: Domain, settings: Any) -> None:
    Domain.objects.update(client_id="id")
    settings.PUBLIC_URL = "http://wallboard.invalid.test"

    page = admin.post("/setup/start/events/", {"look": ""}).content.decode()

    assert "is not known here" in page
    assert "Nothing can be posted" in page


def test_a_wrong_path_is_told_from_ours(empty: Domain, provider: Simulator, settings: Any) -> None:
    settings.PUBLIC_URL = provider.base_url  # somebody else answers there

    look = way_in.hook(empty)

    assert look.state == "late"
    assert "not by us" in look.text


@pytest.mark.parametrize("typed", ["101", "١٠١"])
def test_somebody_whom_the_provider_does_not_name_says_who_they_are(admin: Client, empty: Domain, typed: str) -> None:
    user = User.objects.get()
    early = admin.post("/setup/start/link/", {"extension": "101"})

    Domain.objects.update(login_client_id="login")
    Grant.objects.create(domain=empty, user=user)
    page = admin.get("/setup/start/link/").content.decode()
    said = admin.post("/setup/start/link/", {"extension": typed})

    assert early.status_code == 200
    assert "names no extension" in page
    assert said.headers["Location"] == "/setup/start/events/"
    assert Person.objects.get().extension == "101"
    assert "extension <strong>101</strong>" in admin.get("/setup/start/link/").content.decode()


def test_the_floor_is_named_and_held_against_targets(admin: Client, empty: Domain) -> None:
    queue = Queue.objects.create(domain=empty, number="800")
    page = admin.get("/setup/start/queues/").content.decode()
    admin.post("/setup/start/queues/", {f"queue-{queue.pk}": "Service"})
    admin.post("/setup/start/people/", {"extension": "101", "name": "Ada"})
    wrong = {"longest_wait_watch_seconds": 90, "longest_wait_late_seconds": 30}
    refused = admin.post("/setup/start/targets/", wrong)
    admin.post("/setup/start/targets/", {"longest_wait_watch_seconds": 30, "longest_wait_late_seconds": 90})

    assert "Queue 800" in page
    queue.refresh_from_db()
    assert queue.name == "Service"
    assert Person.objects.filter(extension="101", name="Ada").exists()
    assert refused.status_code == 400
    assert Target.objects.get().longest_wait_late_seconds == 90


def test_it_goes_on_where_something_is_missing(admin: Client, empty: Domain) -> None:
    user = User.objects.get()
    assert steps.current(steps.of(empty, user)) == "provider"
    assert b"/setup/start/" in admin.get("/setup/").content
    assert admin.get("/setup/start/nothing/").status_code == 404

    done = admin.get("/setup/start/done/").content.decode()
    assert "Setting up is not finished." in done
    assert [key for key in steps.TITLES if f'<li><a href="/setup/start/{key}/">' in done.split("step-title")[2]] == [
        each.key for each in steps.of(empty, user) if each.is_needed and not each.is_done
    ]

    # Later steps that were done already are not asked again.
    Queue.objects.create(domain=empty, number="800", name="Service")
    assert [each.key for each in steps.of(empty, user) if each.is_done] == ["address", "queues"]
    assert steps.is_unfinished(empty, user)
    for key in (*steps.TITLES, steps.DONE):
        assert admin.get(f"/setup/start/{key}/").status_code == 200
