"""PUBLIC_URL as others reach it: its name, its certificate, and whether it is we who answer there."""

import socket
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from urllib.parse import urlsplit

import requests
from cryptography import x509
from django.conf import settings

from accounts.validators import is_local
from wallboard.operations.doctor.findings import Finding, good, trouble, watch

SECONDS = 5.0
EXPIRES_SOON = timedelta(days=14)
PORTS = {"http": 80, "https": 443}


def public_address() -> Iterator[Finding]:
    """The way to PUBLIC_URL, step by step; what lies behind a step that fails cannot be looked at."""
    parts = urlsplit(settings.PUBLIC_URL)
    host, port = str(parts.hostname), parts.port or PORTS[parts.scheme]
    try:
        found = sorted({str(info[4][0]) for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)})
    except (OSError, UnicodeError):
        yield trouble("Address", f"The name {host} of PUBLIC_URL is not known here.", "Enter it in DNS, or correct it.")
        return
    if is_local(host) or all(ip_address(each.partition("%")[0]).is_private for each in found):
        yield watch(
            "Address",
            f"{host} is {', '.join(found)}: a provider outside this network cannot reach it.",
            "Fine to try things out; call events need an address that the provider reaches.",
        )
    else:
        yield good("Address", f"{host} is {', '.join(found)}.")
    if parts.scheme == "https":
        yield from _certificate(host, port)
    else:
        yield watch("TLS", "PUBLIC_URL is plain http.", "Put a proxy with a certificate in front before others use it.")
    yield from _answer()


def _certificate(host: str, port: int) -> Iterator[Finding]:
    """Whether the certificate is one that the provider accepts, and for how long."""
    try:
        with (
            socket.create_connection((host, port), SECONDS) as plain,
            ssl.create_default_context().wrap_socket(plain, server_hostname=host) as wrapped,
        ):
            certificate = x509.load_der_x509_certificate(wrapped.getpeercert(binary_form=True) or b"")
    except ssl.SSLCertVerificationError as error:
        text = f"The certificate of {host} is not accepted: {error.verify_message}."
        yield trouble("TLS", text, "Renew it, and let the proxy send the whole chain.")
        return
    except (OSError, ValueError) as error:
        text = f"No TLS connection to {host}:{port}: {error}."
        yield trouble("TLS", text, "See whether the proxy runs, and whether the firewall lets the port through.")
        return
    left = certificate.not_valid_after_utc - datetime.now(UTC)
    if left < EXPIRES_SOON:
        text = f"The certificate of {host} ends in {left.days} days."
        yield watch("TLS", text, "Renew it, and see why that did not happen by itself.")
    else:
        yield good("TLS", f"The certificate of {host} is good for {left.days} days.")


def _answer() -> Iterator[Finding]:
    """Whether this site answers at PUBLIC_URL, and not something else."""
    try:
        answer = requests.get(f"{settings.PUBLIC_URL}/healthz", timeout=SECONDS, allow_redirects=False)
    except requests.RequestException as error:
        text = f"{settings.PUBLIC_URL} does not answer: {type(error).__name__}."
        advice = "See whether web and the proxy run. Where this machine may not open its own address, ask from outside."
        yield trouble("Way in", text, advice)
        return
    if answer.status_code != 200 or answer.text != "ok\n":
        text = f"At {settings.PUBLIC_URL}/healthz something else answers (status {answer.status_code})."
        yield trouble("Way in", text, "Let the proxy hand every path to the web process, as docs/nginx.conf does.")
        return
    yield good("Way in", f"{settings.PUBLIC_URL} leads here, as seen from this machine.")
