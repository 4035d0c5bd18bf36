"""Where a company is reached: at its own host, or at the installation's address, PUBLIC_URL."""

import secrets

from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.companies import hosts, public_address
from accounts.models import Domain


def of(domain: Domain) -> str:
    """The base address that people, TVs and the provider are given for this company."""
    base = public_address.url()  # asked first: scheme and port of a company's host are those of the installation
    return hosts.origin_of(domain.host) if domain.host else base


def sign_in(domain: Domain) -> str:
    """Where people of this company sign in."""
    path = reverse("accounts:login") if domain.host else reverse("companies:sign_in", args=[domain.slug])
    return of(domain) + path


def callback_path(domain: Domain) -> str:
    """Where the company's provider sends people back to after signing in.

    Companies that share a host have one each, but for the first one. Whoever administrates a company says where its
    provider is, and could send people on to the provider of another one: at the address of that one their code is
    known to be none of the sign-in that was begun (RFC 9700 section 4.4).
    """
    if domain.host or not domain.callback_key:
        return reverse("accounts:callback")
    return reverse("accounts:company_callback", args=[domain.callback_key])


def new_callback_key() -> str:
    """The `callback_key` of a company that is about to be added."""
    return secrets.token_hex(8) if Domain.objects.exists() else ""


def here(request: HttpRequest) -> str:
    """The base address of whatever was asked for: of the company whose host it is, or the installation's."""
    pk = hosts.company_at(request)
    return hosts.origin_of(hosts.name_of(request.META["HTTP_HOST"])) if pk else public_address.url()


def in_sentence(address: str) -> SafeString:
    """An address within a text of any language: one that runs from right to left would put its last slash first."""
    return format_html('<bdi dir="ltr">{}</bdi>', address)
