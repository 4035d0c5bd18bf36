"""What the provider's answer to a try means, in plain words, and what to do about it."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from wallboard.telephony.trying import Tried, Verdict


@dataclass(frozen=True)
class Words:
    """A sentence about what happened and one about what to do; `doubt` is what to watch where all went well."""

    summary: str
    advice: str = ""
    doubt: str = ""


def of(tried: Tried) -> Words:
    """The words for a try with the company's credentials."""
    if tried.verdict == Verdict.GOOD:
        summary = ngettext(
            "The provider answers, and tells of %(count)d queue.",
            "The provider answers, and tells of %(count)d queues.",
            len(tried.queues),
        )
        return Words(summary % {"count": len(tried.queues)}, doubt=_clock(tried) if tried.is_clock_off else "")
    return _refusals(tried).get(tried.verdict) or _failures(tried)[tried.verdict]


def of_login(tried: Tried) -> Words:
    """The words for a try with the login credentials."""
    if tried.verdict == Verdict.GOOD:
        return Words(_("The provider knows these login credentials. Whether the sign-in works, the next step shows."))
    if tried.verdict == Verdict.WRONG_SECRET:
        return Words(
            _("The provider refuses the login client id or its secret."),
            _("Copy both from the application with the authorization code grant; it is another one than before."),
        )
    return of(tried)


def _refusals(tried: Tried) -> dict[Verdict, Words]:
    """What an answer says."""
    status = {"status": tried.status or 0}
    return {
        Verdict.WRONG_SECRET: Words(
            _("The provider refuses the client id or its secret."),
            _("Copy both again from the developer portal. The application needs the client credentials grant."),
        ),
        Verdict.UNEXPLAINED: Words(
            _("The provider refuses the request and does not say why (status %(status)d).") % status,
            _(
                "Most often the client id or its secret is wrong, or the application lacks the grant that is needed. "
                "Copy both again from the developer portal, and see which grants the application has."
            ),
        ),
        Verdict.NO_RIGHTS: Words(
            _("The credentials are right, but the application may not read the queues (status %(status)d).") % status,
            _("See in the developer portal which rights the application has: queues and subscriptions are needed."),
        ),
        Verdict.CLOCK: Words(
            _("The provider refuses an access token that it gave a moment ago."),
            f"{_clock(tried)} {_advice_about_clocks()}",
        ),
        Verdict.NOT_THE_API: Words(
            _("Something answers at this address, but it is not the provider's API (status %(status)d).") % status,
            _("The address is that of the API, without anything behind the host: https://phones.example.com."),
        ),
        Verdict.BUSY: Words(
            _("The provider answers, and asks us to slow down (status %(status)d).") % status,
            _("Wait a minute and try again."),
        ),
        Verdict.TROUBLE: Words(
            _("The provider is there and in trouble itself (status %(status)d).") % status,
            _("Try again in a while; if it stays like this, ask the provider."),
        ),
        Verdict.REDIRECT: Words(
            _("The credentials are right, but the sign-in page refuses the redirect address."),
            _("Enter the redirect address above in the developer portal exactly as it stands, with its last slash."),
        ),
    }


def _failures(tried: Tried) -> dict[Verdict, Words]:
    """What it means that no answer came."""
    return {
        Verdict.NO_NAME: Words(
            _("Nobody knows a host of this name (DNS)."),
            _("See whether the address is spelled right, and whether this server can look names up."),
        ),
        Verdict.REFUSED: Words(
            _("The host is there, but nothing listens at this port."),
            _("See whether the address has the right port, or none; and whether a firewall refuses the connection."),
        ),
        Verdict.TLS: Words(
            _("No secure connection: the certificate of this address is not accepted (TLS)."),
            _(
                "See whether the address is the one that the certificate names. Behind a proxy of your own that opens "
                "TLS, this server must trust its certificate."
            ),
        ),
        Verdict.TIMEOUT: Words(
            _("No answer came in time."),
            _("Most often a firewall drops the connection: this server must be let out to that address."),
        ),
        Verdict.UNREACHABLE: Words(
            _("The connection ended before an answer came."),
            _("See whether a proxy or firewall stands in between, and whether the address begins with https://."),
        ),
    }


def _clock(tried: Tried) -> str:
    """Whose clock is off, by the Date header of the answer."""
    ahead = tried.clock_ahead_seconds or 0.0
    minutes = {"minutes": max(round(abs(ahead) / 60), 1)}
    if ahead > 0:
        return _("Its clock is %(minutes)d min ahead of this server's.") % minutes
    return _("Its clock is %(minutes)d min behind this server's.") % minutes


def _advice_about_clocks() -> str:
    return _("Let this server follow a time server (NTP), then try again.")
