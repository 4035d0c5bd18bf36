"""Local accounts with passkeys, and browsers that use them."""

from typing import Any

from django.test import Client

from accounts.models import Domain, Person, User
from tests.harness.authenticator import SoftKey

PASSWORD = "a-long-enough-phrase"


def local(domain: Domain, name: str = "ada", password: str | None = PASSWORD) -> User:
    """A local account with pages, as the first administrator has."""
    user = User.objects.create_user(name, password=password)
    Person.objects.create(domain=domain, user=user, extension=f"local-{name}", role="administrator")
    return user


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def added(client: Client, key: SoftKey | None = None, name: str = "Laptop") -> SoftKey:
    """A key that this browser's user has from now on."""
    key = key or SoftKey()
    options = client.post("/accounts/passkeys/options/").json()
    client.post("/accounts/passkeys/", {"name": name, "credential": key.make(options)})
    return key


def options(client: Client) -> dict[str, Any]:
    found: dict[str, Any] = client.post("/accounts/passkey/options/").json()
    return found


def entered(client: Client, answer: str, path: str = "/accounts/") -> int:
    """The status of a sign-in with this answer; 302 is in."""
    return client.post("/accounts/passkey/", {"credential": answer, "next": path}).status_code
