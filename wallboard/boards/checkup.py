"""Is everything connected? Each part of an installation in plain words, and what to do where it is not."""

from dataclasses import dataclass, field
from datetime import datetime

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import people
from accounts.models import Domain
from wallboard.boards import mismatch
from wallboard.calls import health, silence
from wallboard.calls.models import Subscription
from wallboard.queues import pacing
from wallboard.queues.models import PollState, Queue

GOOD, WATCH, LATE = "good", "watch", "late"
State = Subscription.State


@dataclass(frozen=True)
class Fact:
    """One line of detail: a label with a text or a moment."""

    label: str
    text: str = ""
    moment: datetime | None = None
    is_code: bool = False


@dataclass(frozen=True)
class Check:
    """One part: how it stands in a word, what that means, what to do, and details."""

    title: str
    state: str
    word: str
    words: str = ""
    advice: str = ""
    facts: list[Fact] = field(default_factory=list)


def checks(domain: Domain) -> list[Check]:
    """All parts in the order in which they depend on each other."""
    subscriptions = [of_kind(domain, kind) for kind in Subscription.Kind]
    return [provider(domain), *subscriptions, *available(domain), sign_in(domain), address()]


def advice_for(failure: str) -> tuple[str, str]:
    """What a kind of failure means and what to do about it."""
    refused = (
        _("The provider refuses our credentials."),
        _("Compare client id and secret with the provider's developer portal; the grant is client credentials."),
    )
    known = {
        "unreachable": (
            _("The provider cannot be reached."),
            _("Check the base address and that this server may open connections to it."),
        ),
        "rate_limited": (
            _("The provider asks us to slow down."),
            _("Nothing to do now; if it stays like this, raise POLL_SECONDS."),
        ),
        "not_authorized": refused,
        "grant_refused": refused,
        "not_found": (_("The provider has no such address."), _("Check the base address; it ends before /api/.")),
        "bad_response": (
            _("The provider's answer makes no sense."),
            _("Check that the base address is that of the API and not of a web page or proxy."),
        ),
        "wrong_key": (
            _("The stored secret cannot be opened."),
            _("TOKEN_KEYS lacks the key it was sealed with: add that key again, or enter the secret anew."),
        ),
        "not_ready": (
            _("The provider never confirmed the subscription."),
            _("PUBLIC_URL must be reachable from the provider. Check it from outside, and the proxy in front of us."),
        ),
    }
    return known.get(failure, (_("It failed: %(kind)s.") % {"kind": failure}, _("See the log of the worker.")))


def provider(domain: Domain) -> Check:
    """Whether the queues are read."""
    title = _("Provider and queues")
    state = PollState.objects.filter(domain=domain).first()
    facts = [Fact(_("Base address"), domain.base_url, is_code=True)]
    if state is None or (state.read_at is None and not state.failure):
        advice = _("Start the worker and beat processes; the first reading takes a few seconds.")
        return Check(title, WATCH, _("waiting"), _("The queues were never read."), advice, facts)
    facts += [
        Fact(_("Last reading"), "" if state.read_at else _("never"), state.read_at),
        Fact(_("Queues"), str(Queue.objects.filter(domain=domain).count())),
        Fact(_("Read every"), _("%(seconds)g s") % {"seconds": pacing.interval_seconds(domain)}),
    ]
    if state.failure:
        words, advice = advice_for(state.failure)
        return Check(
            title, LATE, _("failing"), words, advice, [*facts, Fact(_("Failing since"), moment=state.failing_since)]
        )
    if state.read_at and timezone.now() - state.read_at > pacing.live_for(domain):
        advice = _("The worker or beat process has stopped: start it again.")
        return Check(title, LATE, _("stopped"), _("Nobody reads the queues any more."), advice, facts)
    return Check(title, GOOD, _("connected"), facts=facts)


def of_kind(domain: Domain, kind: Subscription.Kind) -> Check:
    """How the newest subscription of that kind stands."""
    title = _("Call events") if kind == Subscription.Kind.CALLS else _("Call detail records")
    rows = domain.subscriptions.filter(kind=kind).exclude(state=State.RETIRED)
    newest = rows.order_by("state", "-pk").filter(state=State.READY).first() or rows.order_by("-pk").first()
    if newest is None:
        advice = _("Start the worker and beat processes; they ask the provider for one.")
        return Check(title, WATCH, _("waiting"), _("There is no subscription yet."), advice)
    facts = [
        Fact(_("Subscription"), newest.get_state_display()),
        Fact(_("Runs until"), "" if newest.expires_at else _("not known"), newest.expires_at),
        Fact(_("Last checked"), "" if newest.checked_at else _("never"), newest.checked_at),
        Fact(_("Last event"), "" if newest.heard_at else _("none yet"), newest.heard_at),
    ]
    if newest.failure:
        words, advice = advice_for(newest.failure)
        return Check(title, LATE, _("failing"), words, advice, facts)
    if newest.state != State.READY or (kind == Subscription.Kind.CALLS and health.of(domain.pk).state != "live"):
        words = _("The provider is setting it up; that takes a few seconds.")
        advice = _("If this stays, PUBLIC_URL is probably not reachable from the provider.")
        return Check(title, WATCH, _("starting"), words, advice, facts)
    quiet = silence.of(domain.pk) if kind == Subscription.Kind.CALLS else None
    return unheard(title, quiet, facts) if quiet else Check(title, GOOD, _("live"), facts=facts)


def unheard(title: str, quiet: silence.Silence, facts: list[Fact]) -> Check:
    """The polled figures show callers of whom no call event told."""
    words = _("%(count)s callers reached the queues since the last call event.") % {"count": quiet.callers}
    advice = _(
        "Polls and events disagree: the provider sends nothing any more, or to another address. Press “Check "
        "subscriptions now”; if that does not help, replace the secret address in the admin site."
    )
    return Check(title, LATE, _("silent"), words, advice, facts)


def available(domain: Domain) -> list[Check]:
    """Something only where the provider counts more available agents than there are idle phones."""
    if (found := mismatch.of(domain)) is None:
        return []
    told = {"queue": found.queue, "available": found.available, "idle": found.idle, "minutes": mismatch.MINUTES}
    words = _(
        "For %(minutes)d minutes the provider has counted %(available)d available in %(queue)s, "
        "but by their calls at most %(idle)d phones were idle."
    )
    advice = _(
        "People on a call may count as available at your provider, or somebody is signed in to the queue with a phone "
        "that is not theirs. Compare the queue's agents there before you set targets on availability."
    )
    return [Check(_("Available agents"), WATCH, _("differs"), words % told, advice)]


def sign_in(domain: Domain) -> Check:
    """Whether people can sign in with their telephony account, and who waits to be linked."""
    title = _("Sign-in")
    facts = [Fact(_("Redirect address to register"), f"{settings.PUBLIC_URL}/accounts/callback/", is_code=True)]
    if not domain.login_client_id:
        advice = _(
            "Add an application with the authorization code grant at the provider's developer portal, register the "
            "redirect address below, and set PROVIDER_LOGIN_CLIENT_ID and PROVIDER_LOGIN_CLIENT_SECRET."
        )
        return Check(title, WATCH, _("not set up"), _("Nobody can sign in with a telephony account."), advice, facts)
    waiting = len(list(people.waiting(domain.pk)))
    if waiting:
        words = _("%(count)s signed in and wait until their extension is confirmed.") % {"count": waiting}
        return Check(title, WATCH, _("people wait"), words, _("Open the page People and link them."), facts)
    return Check(title, GOOD, _("set up"), facts=facts)


def address() -> Check:
    """The address of this installation, as the provider and the browsers must reach it."""
    facts = [Fact(_("PUBLIC_URL"), settings.PUBLIC_URL, is_code=True)]
    title = _("Address")
    if settings.PUBLIC_URL.startswith("https://"):
        return Check(title, GOOD, _("https"), facts=facts)
    words = _("Plain http: good enough to try it on one machine.")
    advice = _("Put a proxy with a certificate in front before others use it; screens then stay awake, too.")
    return Check(title, WATCH, _("http"), words, advice, facts)
