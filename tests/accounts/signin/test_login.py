"""The way to the provider and back: state, PKCE, next, sessions."""

from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from accounts.models import AuditEntry, Domain, Grant, Person, User
from accounts.signin import login, pending, sessions
from tests.accounts.conftest import Provider, Visitor, make_domain

NewVisitor = Callable[[], Visitor]


def is_signed_in(visitor: Visitor) -> bool:
    return SESSION_KEY in visitor.client.session


def test_signing_in_leads_to_the_person_whom_the_probe_shows(visitor: Visitor, provider: Provider) -> None:
    answer = visitor.sign_in(next="/desk/")

    assert answer.status_code == 302
    assert answer["Location"] == "/desk/"
    person = Person.objects.get(extension="101")
    assert visitor.client.session[SESSION_KEY] == str(person.user_id)
    assert provider.forms[0]["redirect_uri"] == "http://testserver/accounts/callback/"
    assert len(provider.deleted) == 1


def test_signing_in_again_is_the_same_user(visitor: Visitor, new_visitor: NewVisitor) -> None:
    visitor.sign_in()
    new_visitor().sign_in()

    assert User.objects.count() == 1
    assert is_signed_in(visitor)
    assert visitor.client.get("/accounts/").status_code == 200


def test_state_works_once(visitor: Visitor, provider: Provider) -> None:
    state = visitor.start()["state"]
    assert visitor.come_back(state=state, code="a-code").status_code == 302
    key = visitor.client.session.session_key

    answer = visitor.come_back(state=state, code="a-code")

    assert answer.status_code == 400
    assert len(provider.forms) == 1
    assert visitor.client.session.session_key == key


def test_state_of_another_browser_is_refused(visitor: Visitor, new_visitor: NewVisitor, provider: Provider) -> None:
    state = visitor.start()["state"]
    victim = new_visitor()

    assert victim.come_back(state=state, code="attackers-code").status_code == 400
    assert provider.forms == []
    assert not is_signed_in(victim)
    assert visitor.come_back(state=state, code="a-code").status_code == 302


@pytest.mark.parametrize(
    "query", [{}, {"code": "x"}, {"state": "", "code": "x"}, {"state": "made-up", "code": "x"}, {"state": "\ud800"}]
)
def test_missing_or_invented_state_is_refused(visitor: Visitor, provider: Provider, query: dict[str, str]) -> None:
    visitor.start()

    path = "/accounts/callback/?" + "&".join(f"{name}={value}" for name, value in query.items())
    answer = visitor.client.get(path.encode("utf-8", "surrogatepass").decode("latin-1"))

    assert answer.status_code == 400
    assert "Start again" in answer.content.decode()
    assert provider.forms == []


def test_state_is_good_for_ten_minutes(visitor: Visitor, provider: Provider) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        early, late = visitor.start()["state"], visitor.start()["state"]
        clock.shift(599)
        assert visitor.come_back(state=early, code="a-code").status_code == 302

        clock.shift(2)

        assert visitor.come_back(state=late, code="a-code").status_code == 400
    assert len(provider.forms) == 1


def test_two_tabs_both_come_back_signed_in(visitor: Visitor, provider: Provider) -> None:
    first, second = visitor.start(next="/desk/")["state"], visitor.start(next="/screens/")["state"]

    assert visitor.come_back(state=first, code="a-code")["Location"] == "/desk/"
    assert visitor.come_back(state=second, code="a-code")["Location"] == "/screens/"


def test_many_tabs_do_not_make_the_session_grow(visitor: Visitor) -> None:
    for _ in range(30):
        visitor.start()

    assert len(visitor.client.session[login.ATTEMPTS]) == pending.MOST


def test_visitor_on_the_way_leaves_a_session_for_ten_minutes_only(visitor: Visitor, new_visitor: NewVisitor) -> None:
    visitor.start()
    soon = timezone.now() + timedelta(seconds=pending.SECONDS + 1)
    assert Session.objects.get().expire_date < soon

    visitor.sign_in()
    visitor.start()

    assert Session.objects.get().expire_date > timezone.now() + timedelta(days=89)
    new_visitor().start()
    assert sessions.live_user_ids() == {User.objects.get().pk}


def test_administrator_who_was_on_the_way_to_the_provider_stays_signed_in(visitor: Visitor) -> None:
    User.objects.create_superuser("root", password="right")
    visitor.start()

    visitor.client.post("/admin/login/", {"username": "root", "password": "right"})

    assert visitor.client.get("/admin/").status_code == 200
    assert Session.objects.get().expire_date > timezone.now() + timedelta(days=13)


def test_posted_callback_is_refused(visitor: Visitor, provider: Provider) -> None:
    state = visitor.start()["state"]
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = visitor.client.cookies

    assert strict.post("/accounts/callback/", {"state": state, "code": "x"}).status_code == 400
    assert provider.forms == []


def test_refusal_at_the_provider_is_told_and_asks_for_no_token(visitor: Visitor, provider: Provider) -> None:
    state = visitor.start(next="/desk/")["state"]

    answer = visitor.come_back(state=state, error="access_denied", error_description="<script>canary</script>")

    assert answer.status_code == 400
    assert "canary" not in answer.content.decode()
    assert "/accounts/login/?next=%2Fdesk%2F" in answer.content.decode()
    assert provider.forms == []
    assert visitor.come_back(state=state, code="x").status_code == 400


@pytest.mark.parametrize(
    ("refusal", "status"),
    [
        ((400, {"error": "invalid_grant"}), 400),
        ((400, {"detail": "The code has expired."}), 400),
        ((400, {"error": "invalid_request"}), 503),
        ((401, {"error": "invalid_client"}), 503),
        ((401, {}), 503),
        ((502, {}), 503),
    ],
)
def test_failed_exchange_is_told(
    visitor: Visitor, provider: Provider, refusal: tuple[int, dict[str, object]], status: int
) -> None:
    provider.refusal = refusal

    answer = visitor.sign_in()

    assert answer.status_code == status
    assert not is_signed_in(visitor)
    assert "a-code" not in answer.content.decode()
    assert "no-store" in answer["Cache-Control"]


def test_pkce_verifier_fits_the_challenge(visitor: Visitor, provider: Provider, domain: Domain) -> None:
    from base64 import urlsafe_b64encode
    from hashlib import sha256

    query = visitor.start()
    visitor.come_back(state=query["state"], code="a-code")

    verifier = provider.forms[0]["code_verifier"]
    assert query["code_challenge_method"] == "S256"
    assert urlsafe_b64encode(sha256(verifier.encode()).digest()).rstrip(b"=").decode() == query["code_challenge"]
    assert 43 <= len(verifier) <= 128
    assert verifier not in str(visitor.client.session.items())


def test_domain_whose_provider_refuses_pkce_sends_no_challenge(visitor: Visitor, provider: Provider) -> None:
    Domain.objects.update(uses_pkce=False)
    assert "code_challenge" not in visitor.start()
    visitor.sign_in()
    assert "code_verifier" not in provider.forms[0]


def test_no_staff_account_is_deleted_by_signing_in_over_it(visitor: Visitor, provider: Provider) -> None:
    staff = User.objects.create_user("staff", password="right", is_staff=True, link_code="1234")
    visitor.client.force_login(staff)

    visitor.sign_in()

    assert User.objects.filter(username="staff").exists()


def test_a_waiting_sign_in_that_is_dropped_stands_in_the_audit_log(visitor: Visitor, provider: Provider) -> None:
    provider.users = ()
    visitor.sign_in()
    name = User.objects.get().username

    visitor.sign_in()

    assert AuditEntry.objects.filter(what="waiting sign-in dropped", about=name).exists()
    assert not User.objects.filter(username=name).exists()


def test_planted_session_is_dead_after_signing_in(visitor: Visitor) -> None:
    visitor.start()
    session = visitor.client.session
    session["planted"] = "value"
    session.save()
    planted = session.session_key

    visitor.sign_in()

    assert visitor.client.session.session_key != planted
    assert "planted" not in visitor.client.session
    assert not Session.objects.filter(session_key=planted).exists()


def test_disabled_user_is_refused(visitor: Visitor, provider: Provider) -> None:
    visitor.sign_in()
    User.objects.update(is_active=False)

    answer = visitor.sign_in()

    assert answer.status_code == 403
    assert visitor.client.get("/accounts/").status_code == 302


def test_session_ends_with_the_grant(visitor: Visitor, provider: Provider) -> None:
    visitor.sign_in()
    assert timedelta(days=89) < visitor.client.session.get_expiry_date() - timezone.now() <= timedelta(days=90)


def test_session_without_refresh_token_ends_within_the_hour(visitor: Visitor, provider: Provider) -> None:
    provider.has_refresh_token = False
    visitor.sign_in()

    assert visitor.client.session.get_expiry_date() - timezone.now() < timedelta(hours=1)
    with time_machine.travel(timezone.now() + timedelta(hours=1)):
        assert visitor.client.get("/accounts/").status_code == 302


def test_inactive_company_lets_nobody_in(visitor: Visitor, provider: Provider) -> None:
    state = visitor.start()["state"]
    Domain.objects.update(is_active=False)

    assert visitor.come_back(state=state, code="a-code").status_code == 400
    assert visitor.client.get("/accounts/login/start/", {"domain": "main"}).status_code == 404


def test_login_page_offers_the_company_that_is_asked_for(visitor: Visitor) -> None:
    make_domain("north")
    page = visitor.client.get("/accounts/login/", {"next": "/desk/?a=1&b=2", "company": "north"}).content.decode()

    assert "Sign in with <bdi>North company</bdi>" in page
    assert "/accounts/login/start/?domain=north&amp;next=%2Fdesk%2F%3Fa%3D1%26b%3D2" in page


def test_login_page_says_when_nobody_can_sign_in(client: Client, db: None) -> None:
    assert "PROVIDER_LOGIN_CLIENT_ID" in client.get("/accounts/login/").content.decode()


def test_login_page_moves_to_the_public_address_once(client: Client, domain: Domain, settings: object) -> None:
    settings.ALLOWED_HOSTS = ["inside.test", "testserver"]  # type: ignore[attr-defined]

    answer = client.get("/accounts/login/?next=/desk/", HTTP_HOST="inside.test:8000")
    assert answer["Location"] == "http://testserver/accounts/login/?next=%2Fdesk%2F&here=1"

    assert client.get("/accounts/login/?here=1", HTTP_HOST="inside.test").status_code == 200


@pytest.mark.parametrize("host", ["testserver:99999", "testserver:0", "testserver:"])
def test_a_port_that_there_is_not_is_no_mistake_of_ours(client: Client, domain: Domain, host: str) -> None:
    assert client.get("/accounts/login/", HTTP_HOST=host).status_code in (200, 302, 400)


def test_people_of_two_companies_never_mix(visitor: Visitor, provider: Provider) -> None:
    north = make_domain("north")
    visitor.sign_in()
    other = Visitor()
    other.sign_in(domain="north")

    assert Person.objects.filter(extension="101").count() == 2
    assert Person.objects.get(domain=north).user_id != Person.objects.exclude(domain=north).get().user_id
    assert Grant.objects.filter(domain=north).count() == 1
