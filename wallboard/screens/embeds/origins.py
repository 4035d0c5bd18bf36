"""The sites that may frame an embed link: each a scheme, a host and a port, as browsers write the origin of a page."""

import re
from urllib.parse import urlsplit

from django.utils.translation import gettext as _

MOST = 20
HOST = re.compile(r"[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?")
USUAL_PORTS = {"https": 443, "http": 80}


class BadOrigin(ValueError):
    """This names no site; the text says what to write."""


def parsed(text: str) -> list[str]:
    """The origins that were written, one a line or with spaces between them. Raises BadOrigin."""
    found = list(dict.fromkeys(origin(each) for each in re.split(r"[\s,;]+", text.strip()) if each))
    if not found:
        raise BadOrigin(_("Name at least one site."))
    if len(found) > MOST:
        raise BadOrigin(_("A link is for at most %(most)d sites.") % {"most": MOST})
    return found


def origin(text: str) -> str:
    """One origin as browsers compare it. Raises BadOrigin: nothing else may get into the policy of a page."""
    try:
        parts = urlsplit(text)
        host, port = (parts.hostname or "").encode("idna").decode().lower(), parts.port
    except ValueError:  # UnicodeError is one
        raise _refusal(text) from None
    is_bare = parts.path in ("", "/") and not parts.query and not parts.fragment and "@" not in parts.netloc
    if parts.scheme not in USUAL_PORTS or not HOST.fullmatch(host) or not is_bare:
        raise _refusal(text)
    return f"{parts.scheme}://{host}" + (f":{port}" if port and port != USUAL_PORTS[parts.scheme] else "")


def _refusal(text: str) -> BadOrigin:
    return BadOrigin(_("“%(text)s” is no site. Write it as https://www.example.com.") % {"text": text[:100]})
