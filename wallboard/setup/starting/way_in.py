"""The public address as others reach it: its name, its certificate, whether we answer there, and take deliveries."""

import secrets
import socket
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from ipaddress import ip_address
from urllib.parse import urlsplit

import requests
from cryptography import x509
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.companies import addresses
from accounts.languages.lists import listed
from accounts.models import Domain, IdentityProbe
from accounts.validators import is_local
from wallboard.setup.status_checks import GOOD, LATE, WATCH

SECONDS = 5.0
EXPIRES_SOON = timedelta(days=14)
PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class Look:
    """One thing on the way, how it stands (as of status_checks), and what to do where it does not stand well."""

    title: str
    state: str
    text: str
    advice: str = ""


def public_address(base: str) -> Iterator[Look]:
    """The way to this base address, step by step; what lies behind a step that fails cannot be looked at."""
    parts = urlsplit(base)
    host, port = str(parts.hostname), parts.port or PORTS[parts.scheme]
    try:
        found = sorted({str(info[4][0]) for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)})
    except (OSError, UnicodeError):
        text = _("The name %(host)s is not known here.") % {"host": host}
        yield Look(_("Address"), LATE, text, _("Enter it in DNS, or correct it."))
        return
    yield _reach(host, found)
    if parts.scheme == "https":
        yield _certificate(host, port)
    else:
        advice = _("Put a proxy with a certificate in front before others use it.")
        yield Look(_("TLS"), WATCH, _("The address is plain http."), advice)
    yield _answer(base)


def hook(domain: Domain) -> Look:
    """Whether a delivery gets through to us as the provider's would, seen from this machine."""
    title, secret = _("Deliveries"), secrets.token_urlsafe(32)
    # An address that is answered and counts for nothing; the same that a sign-in leaves at the provider for a minute.
    until = timezone.now() + timedelta(minutes=1)
    probe = IdentityProbe.objects.create(domain=domain, secret_hash=sha256(secret.encode()).hexdigest(), until=until)
    address = f"{addresses.of(domain)}/hooks/{secret}/"
    try:
        answer = requests.post(address, json={}, timeout=SECONDS, allow_redirects=False)
    except requests.RequestException as error:
        text = _("Nothing can be posted to the public address: %(error)s.") % {"error": type(error).__name__}
        return Look(title, LATE, text, _("See whether web and the proxy run, and whether a firewall lets both in."))
    finally:
        probe.delete()
    if answer.ok:
        return Look(title, GOOD, _("What is posted below /hooks/ reaches us, as seen from this machine."))
    text = _("What is posted below /hooks/ is answered with status %(status)d, and not by us.")
    advice = _("Let the proxy hand POSTs below /hooks/ to the web process unchanged, as docs/nginx.conf does.")
    return Look(title, LATE, text % {"status": answer.status_code}, advice)


def _reach(host: str, found: list[str]) -> Look:
    """Whether the addresses of the host lie outside this network."""
    known = {"host": host, "found": listed(found)}
    if is_local(host) or all(ip_address(each.partition("%")[0]).is_private for each in found):
        text = _("%(host)s is %(found)s: a provider outside this network cannot reach it.") % known
        return Look(
            _("Address"),
            WATCH,
            text,
            _("Fine to try things out; call events need an address that the provider reaches."),
        )
    return Look(_("Address"), GOOD, _("%(host)s is %(found)s.") % known)


def _certificate(host: str, port: int) -> Look:
    """Whether the certificate is one that the provider accepts, and for how long."""
    title, known = _("TLS"), {"host": host, "port": port}
    try:
        with (
            socket.create_connection((host, port), SECONDS) as plain,
            ssl.create_default_context().wrap_socket(plain, server_hostname=host) as wrapped,
        ):
            certificate = x509.load_der_x509_certificate(wrapped.getpeercert(binary_form=True) or b"")
    except ssl.SSLCertVerificationError as error:
        text = _("The certificate of %(host)s is not accepted: %(why)s.") % {**known, "why": error.verify_message}
        return Look(title, LATE, text, _("Renew it, and let the proxy send the whole chain."))
    except (OSError, ValueError) as error:
        text = _("No TLS connection to %(host)s:%(port)d: %(why)s.") % {**known, "why": error}
        advice = _("See whether the proxy runs, and whether the firewall lets the port through.")
        return Look(title, LATE, text, advice)
    left = certificate.not_valid_after_utc - datetime.now(UTC)
    if left < EXPIRES_SOON:
        text = _("The certificate of %(host)s ends in %(days)d days.") % {**known, "days": left.days}
        return Look(title, WATCH, text, _("Renew it, and see why that did not happen by itself."))
    text = _("The certificate of %(host)s is good for %(days)d days.") % {**known, "days": left.days}
    return Look(title, GOOD, text)


def _answer(base: str) -> Look:
    """Whether this site answers there, and not something else."""
    title, known = _("Way in"), {"url": base}
    try:
        answer = requests.get(f"{base}/healthz", timeout=SECONDS, allow_redirects=False)
    except requests.RequestException as error:
        text = _("%(url)s does not answer: %(why)s.") % {**known, "why": type(error).__name__}
        advice = _(
            "See whether web and the proxy run. Where this machine may not open its own address, ask from outside."
        )
        return Look(title, LATE, text, advice)
    if answer.status_code != 200 or answer.text != "ok\n":
        text = _("At %(url)s/healthz something else answers (status %(status)d).")
        advice = _("Let the proxy hand every path to the web process, as docs/nginx.conf does.")
        return Look(title, LATE, text % {**known, "status": answer.status_code}, advice)
    return Look(title, GOOD, _("%(url)s leads here, as seen from this machine.") % known)
