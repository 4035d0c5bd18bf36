"""Where the provider's sign-in page is: found out by `setup`, kept with the company, and used."""

import pytest
import responses
from django.core.exceptions import ValidationError

from accounts import validators
from accounts.models import Domain
from accounts.signin import authorize_path
from tests.accounts.conftest import PROVIDER, Provider, Visitor

pytestmark = pytest.mark.one_database

USUAL, BARE = "/api/oauth/authorize/", "/oauth/authorize/"


@pytest.mark.parametrize(
    ("usual", "bare", "found"),
    [
        *[(200, 404, USUAL), (400, 404, USUAL), (404, 200, BARE), (404, 302, BARE), (404, 404, USUAL)],
        *[(503, 200, USUAL), (401, 200, BARE), (401, 404, USUAL), (400, 400, USUAL)],
    ],
)
def test_the_path_that_is_there_is_kept(
    domain: Domain, http: responses.RequestsMock, usual: int, bare: int, found: str
) -> None:
    http.get(PROVIDER + USUAL, status=usual)
    http.get(PROVIDER + BARE, status=bare)

    assert authorize_path.learn(domain) is (found != USUAL)

    assert Domain.objects.get().authorize_path == found


def test_a_path_that_somebody_set_is_left_alone(domain: Domain, http: responses.RequestsMock) -> None:
    domain.authorize_path = "/sso/start/"

    assert authorize_path.learn(domain) is False


def test_people_are_sent_to_the_company_s_path(visitor: Visitor, provider: Provider) -> None:
    Domain.objects.update(authorize_path=BARE)

    answer = visitor.client.get("/accounts/login/start/", {"domain": "main"})

    assert answer["Location"].startswith(f"{PROVIDER}{BARE}?")


@pytest.mark.parametrize("path", ["", "oauth/", "//evil.test/x", "/x?a=b", "/x#y", "/a b", "https://evil.test/", "//["])
def test_only_a_plain_path_is_taken(path: str) -> None:
    with pytest.raises(ValidationError):
        validators.authorize_path(path)
