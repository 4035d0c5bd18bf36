"""Each company: the provider, its clock, subscriptions, sign-in and figures, as its set-up page has them."""

from collections.abc import Iterator

from django.db import DatabaseError, connection
from django.utils.translation import gettext as _

from accounts.encryption import WrongKey
from accounts.models import Domain
from accounts.tokens import clients
from wallboard.operations.doctor.findings import Finding, State, good, trouble, watch
from wallboard.setup import failures, status_checks
from wallboard.telephony.errors import ProviderError

STATES = {status_checks.GOOD: State.GOOD, status_checks.WATCH: State.WATCH, status_checks.LATE: State.TROUBLE}
CLOCK_SECONDS = 5.0  # beyond what the way of an answer and whole seconds explain


def every_company() -> Iterator[Finding]:
    """What its set-up page says of each company that is not paused, and a question to its provider."""
    try:
        domains = list(Domain.objects.filter(is_active=True).order_by("slug"))
    except DatabaseError:
        connection.close()
        return  # another line says that the database is away
    if not domains:
        advice = _("Run `manage.py setup` and open the address that it prints.")
        yield trouble(_("Company"), _("None is set up."), advice)
    for domain in domains:
        for check in status_checks.checks(domain):
            text = check.summary or f"{check.label}."
            yield Finding(f"{domain.slug}: {check.title}", STATES[check.state], text, check.advice)
        if domain.client_id:
            yield from _provider_now(domain)


def _provider_now(domain: Domain) -> Iterator[Finding]:
    """Ask the provider now, and compare its clock with ours."""
    title = _("%(company)s: Provider now") % {"company": domain.slug}
    client = clients.company_client(domain)
    try:
        client.queue_stats()
    except WrongKey as error:
        yield trouble(title, str(error), _("Put that key back into TOKEN_KEYS, or enter the secret anew."))
        return
    except ProviderError as error:
        summary, advice = failures.advice_for(error.kind)
        yield trouble(title, summary, advice)
        return
    ahead = client.clock_ahead_seconds
    if ahead is None:
        yield good(title, _("It answers, without saying what time it has."))
    elif abs(ahead) > CLOCK_SECONDS:
        seconds = {"seconds": f"{abs(ahead):.0f}"}
        fast, slow = (
            _("It answers; its clock is %(seconds)s s ahead of ours."),
            _("It answers; its clock is %(seconds)s s behind ours."),
        )
        text = (fast if ahead > 0 else slow) % seconds
        yield watch(title, text, _("Let this machine follow a time server (NTP); if it does, tell the provider."))
    else:
        yield good(title, _("It answers, and its clock agrees with ours."))
