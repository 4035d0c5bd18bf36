"""Nothing stored can be read without the keys, and the keys can be changed while the site runs."""

import io
from typing import Any

import pytest
from cryptography.fernet import Fernet
from django.core.management import CommandError, call_command
from django.test import Client

from accounts import encryption
from accounts.models import CompanyToken, Domain, Grant, User
from accounts.tokens import key_rotation
from accounts.tokens.clients import CompanyTokenSource
from tests.accounts.conftest import Provider, Visitor


@pytest.fixture
def everything(visitor: Visitor, domain: Domain, provider: Provider) -> None:
    """A company with a token and a user with a grant."""
    visitor.sign_in()
    CompanyTokenSource(CompanyToken.objects.create(domain=domain))()


def dump() -> str:
    out = io.StringIO()
    call_command("dumpdata", "accounts", stdout=out)
    return out.getvalue()


def test_dump_shows_no_token_and_no_secret(everything: None) -> None:
    text = dump()

    for canary in ("access-", "refresh-", "canary-company-secret", "canary-login-secret", "a-code"):
        assert canary not in text
    assert "main-" in text


def test_admin_pages_show_no_secret_even_sealed(everything: None, client: Client) -> None:
    client.force_login(User.objects.create_superuser("root", password="x"))
    domain, grant, token = Domain.objects.get(), Grant.objects.get(), CompanyToken.objects.get()
    pages = [
        "/admin/accounts/domain/",
        f"/admin/accounts/domain/{domain.pk}/change/",
        f"/admin/accounts/grant/{grant.pk}/change/",
        f"/admin/accounts/companytoken/{token.pk}/change/",
        "/admin/accounts/grant/",
        "/admin/accounts/companytoken/",
    ]
    sealed = [str(domain.client_secret), str(grant.refresh_token), str(grant.access_token), str(token.access_token)]
    for path in pages:
        answer = client.get(path)
        assert answer.status_code == 200, path
        text = answer.content.decode()
        assert not [secret for secret in [*sealed, "canary-", "access-1"] if secret in text]


def test_keys_rotate_and_the_old_one_can_go(everything: None, settings: Any) -> None:
    old, new = settings.TOKEN_KEYS[0], Fernet.generate_key().decode()
    settings.TOKEN_KEYS = [new, old]
    out = io.StringIO()

    call_command("rotate_keys", stdout=out)

    settings.TOKEN_KEYS = [new]
    assert "5 stored secrets" in out.getvalue()
    assert Domain.objects.get().client_secret.open() == "canary-company-secret"
    assert Grant.objects.get().refresh_token.open().startswith("refresh-")
    assert CompanyToken.objects.get().access_token.open().startswith("access-")


def test_rotation_does_not_undo_what_changes_meanwhile(everything: None, monkeypatch: pytest.MonkeyPatch) -> None:
    really_rotate, before = encryption.rotate, str(Domain.objects.get().client_secret)

    def meanwhile(sealed: str) -> str:
        if sealed == before:
            Domain.objects.update(client_secret=encryption.sealed("changed"))
        return really_rotate(sealed)

    monkeypatch.setattr("accounts.tokens.key_rotation.encryption.rotate", meanwhile)
    key_rotation.rotate_all()

    assert Domain.objects.get().client_secret.open() == "changed"


def test_rotation_covers_every_room() -> None:
    columns = {f"{model._meta.label}.{column}" for model, column in key_rotation.sealed_columns()}

    assert {"accounts.Domain.client_secret", "accounts.Grant.refresh_token", "calls.Subscription.secret"} <= columns


def test_rotating_with_the_wrong_key_says_what_to_do(everything: None, settings: Any) -> None:
    settings.TOKEN_KEYS = [Fernet.generate_key().decode()]

    with pytest.raises(CommandError, match="Put it back"):
        call_command("rotate_keys")


def test_wrong_key_gives_a_page_that_says_what_to_do(visitor: Visitor, settings: Any, provider: Provider) -> None:
    state = visitor.start()["state"]
    settings.TOKEN_KEYS = [Fernet.generate_key().decode()]

    answer = visitor.come_back(state=state, code="a-code")

    assert answer.status_code == 503
    assert "TOKEN_KEYS" in answer.content.decode()
    assert provider.forms == []


def test_wrong_key_does_not_break_the_admin_site(everything: None, client: Client, settings: Any) -> None:
    client.force_login(User.objects.create_superuser("root", password="x"))
    settings.TOKEN_KEYS = [Fernet.generate_key().decode()]

    for name in ("domain", "grant", "companytoken", "person", "user", "lease"):
        assert client.get(f"/admin/accounts/{name}/").status_code == 200
    assert client.get(f"/admin/accounts/domain/{Domain.objects.get().pk}/change/").status_code == 200


def test_new_key_is_a_key() -> None:
    out = io.StringIO()
    call_command("newkey", stdout=out)

    assert Fernet(out.getvalue().strip())


def test_sealed_text_keeps_out_of_representations() -> None:
    assert repr(encryption.sealed("x")) == "<sealed>"
    assert encryption.sealed("").open() == ""
