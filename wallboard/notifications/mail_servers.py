"""Whose mail server a message leaves by: the company's own where it has one, else the installation's (SMTP_URL)."""

from dataclasses import dataclass, field
from urllib.parse import SplitResult, unquote

from django.conf import settings

from accounts import audit
from accounts.encryption import sealed
from accounts.models import Domain
from wallboard.notifications.models import MailServer

Security = MailServer.Security
SCHEMES = {"smtp": Security.NONE, "smtp+starttls": Security.STARTTLS, "smtps": Security.TLS}
PORTS = {Security.NONE: 25, Security.STARTTLS: 587, Security.TLS: 465}


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """How to reach a mail server. `is_operators`: set by whoever runs the installation, who may name any host."""

    host: str
    port: int
    security: str
    sender: str
    username: str = ""
    password: str = field(default="", repr=False)
    is_operators: bool = False


def of_company(domain_id: int | None) -> ServerSettings | None:
    """The mail server for a company, or for the installation's own mail (None); None where there is none at all."""
    row = MailServer.objects.filter(domain_id=domain_id).first() if domain_id is not None else None
    if row is None:
        return of_installation()
    return ServerSettings(row.host, row.port, row.security, row.sender, row.username, row.password.open())


def of_installation() -> ServerSettings | None:
    """The mail server that the environment names."""
    parts: SplitResult | None = settings.SMTP
    if parts is None:
        return None
    security = SCHEMES[parts.scheme]
    return ServerSettings(
        host=str(parts.hostname),
        port=parts.port or PORTS[security],
        security=security,
        sender=settings.MAIL_FROM,
        username=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        is_operators=True,
    )


def save(domain: Domain, wanted: ServerSettings) -> None:
    """Store a company's mail server; an empty password leaves the one that is stored, at the same host and name."""
    old = MailServer.objects.filter(domain=domain).first()
    is_same = old is not None and (old.host, old.username) == (wanted.host, wanted.username)
    # Else whoever may change the host could have the password sent to a server of their own.
    password = sealed(wanted.password) if wanted.password else old.password if old and is_same else sealed("")
    values = {name: getattr(wanted, name) for name in ("host", "port", "security", "sender", "username")}
    MailServer.objects.update_or_create(domain=domain, defaults={**values, "password": password})
    before = {name: getattr(old, name) if old else "" for name in values}
    changes = audit.differences(before, values) | ({"password": ["", "new"]} if wanted.password else {})
    audit.log_changes(domain.pk, "mail server changed", wanted.host, changes)


def remove(domain: Domain) -> None:
    """Go back to the installation's own."""
    if MailServer.objects.filter(domain=domain).delete()[0]:
        audit.log(domain.pk, "mail server removed", "")
