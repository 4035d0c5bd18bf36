"""The address that browsers and the provider use, and the proxies on the way, for the set-up page."""

from functools import partial

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext as _

from accounts.companies import addresses
from accounts.models import Domain
from accounts.signin import client_address, operators
from wallboard.setup.status_checks import GOOD, LATE, WATCH, Action, Check, Detail

STEP = "/setup/start/address/"


def of(request: HttpRequest, domain: Domain) -> Check:
    """The address of this installation, as the provider and the browsers must reach it, and the proxies on the way."""
    details = [
        Detail(_("Public address"), addresses.of(domain), is_code=True),
        Detail(_("Your own address, as we see it"), client_address.of_request(request), is_code=True),
    ]
    link = Action(_("Change the address"), STEP) if operators.may_change_address(request.user) else None
    if domain.host:
        link = None  # that is the operator's to say, on the page of the company
    check = partial(Check, _("Address"), details=details, link=link)
    if client_address.proxies_differ(request):
        summary = _(
            "Your request did not come through as many proxies as TRUSTED_PROXIES says (%(hops)d). Visitors may all "
            "seem to have one address, so that one of them can use up the sign-ins and pairings of everybody."
        )
        advice = _(
            "Set TRUSTED_PROXIES to the number of reverse proxies in front of this server, 1 with the nginx of the "
            "documentation, and let each of them write X-Forwarded-For."
        )
        return check(LATE, _("proxy"), summary % {"hops": settings.TRUSTED_PROXIES}, advice)
    if addresses.of(domain).startswith("https://"):
        return check(GOOD, _("https"))
    summary = _("Plain http: good enough to try it on one machine.")
    advice = _("Put a proxy with a certificate in front before others use it; screens then stay awake, too.")
    return check(WATCH, _("http"), summary, advice)
