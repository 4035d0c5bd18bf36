"""Is everything connected? Each part of an installation in plain words, and what to do where it is not."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

import redis
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import people
from accounts.models import Domain
from accounts.signin import login
from wallboard.calibration import locks
from wallboard.calls.models import Delivery, Subscription
from wallboard.calls.subscriptions import health, missed_events, post_addresses, provider_domain
from wallboard.live import clocks
from wallboard.queues import pacing, renumbering
from wallboard.queues.models import PollState, Queue
from wallboard.setup import agent_mismatch, failures
from wallboard.telephony.errors import Unreachable

GOOD, WATCH, LATE = "good", "watch", "late"
State = Subscription.State
PROBLEMS_FOR = timedelta(days=1)


@dataclass(frozen=True)
class Detail:
    """One line of detail: a label with a text or a moment."""

    label: str
    text: str = ""
    moment: datetime | None = None
    is_code: bool = False


@dataclass(frozen=True)
class Action:
    """A button: its text and the name of the address that it posts to."""

    text: str
    address: str


@dataclass(frozen=True)
class Check:
    """One part: its state and the label of that, what that means, what to do, details, and a button."""

    title: str
    state: str
    label: str
    summary: str = ""
    advice: str = ""
    details: list[Detail] = field(default_factory=list)
    action: Action | None = None
    link: Action | None = None  # leads to its address


def checks(domain: Domain) -> list[Check]:
    """All parts in the order in which they depend on each other, but for that of the address (address_check.py)."""
    subscriptions = [of_kind(domain, kind) for kind in Subscription.Kind if domain.client_id]
    return [
        provider(domain),
        *subscriptions,
        *agent_counts(domain),
        *contradictions(domain),
        sign_in(domain),
        *clock_differences(),
    ]


def contradictions(domain: Domain) -> list[Check]:
    """What was proven about the provider and is no longer so; and queues that seem to have got another number."""
    summary = locks.contradicted(domain.pk)
    found = [Check(_("Calibration"), LATE, _("contradicted"), summary)] if summary else []
    return found + [Check(_("Queue numbers"), WATCH, _("changed"), each) for each in renumbering.sentences(domain)]


def provider(domain: Domain) -> Check:
    """Whether the queues are read."""
    title = _("Provider and queues")
    if not domain.client_id:
        summary = _("Nobody has entered the provider's address and credentials yet.")
        return Check(title, WATCH, _("not set up"), summary, _("Go on with the set-up at /setup/start/."))
    state = PollState.objects.filter(domain=domain).first()
    details = [Detail(_("Base address"), domain.base_url, is_code=True)]
    if state is None or (state.read_at is None and not state.failure):
        advice = _("Start the worker and beat processes; the first reading takes a few seconds.")
        return Check(title, WATCH, _("waiting"), _("The queues were never read."), advice, details)
    details += [
        Detail(_("Last reading"), "" if state.read_at else _("never"), state.read_at),
        Detail(_("Queues"), str(Queue.objects.filter(domain=domain).count())),
        Detail(_("Read every"), _("%(seconds)g s") % {"seconds": pacing.interval_seconds(domain)}),
    ]
    if state.failure:
        summary, advice = failures.advice_for(state.failure)
        details += [Detail(_("Failing since"), moment=state.failing_since), *_next_try(state.not_before)]
        button = Action(_("Try now"), "setup:poll_now")
        return Check(title, LATE, _("failing"), summary, advice, details, button)
    if state.read_at and timezone.now() - state.read_at > pacing.live_for(domain):
        advice = _("The worker or beat process has stopped: start it again.")
        return Check(title, LATE, _("stopped"), _("Nobody reads the queues any more."), advice, details)
    return Check(title, GOOD, _("connected"), details=details)


def _next_try(moment: datetime | None) -> list[Detail]:
    """When the provider is asked again by itself, as long as that lies ahead."""
    # A moment that has passed would say nothing: the next try is under way.
    return [Detail(_("Next try"), moment=moment)] if moment and moment > timezone.now() else []


def of_kind(domain: Domain, kind: Subscription.Kind) -> Check:
    """How the newest subscription of that kind stands."""
    title = _("Call events") if kind == Subscription.Kind.CALLS else _("Call detail records")
    rows = domain.subscriptions.filter(kind=kind).exclude(state=State.RETIRED)
    # One that works counts for more than a newer one that is still being set up.
    newest = rows.order_by("state", "-pk").filter(state=State.READY).first() or rows.order_by("-pk").first()
    if newest is None:
        advice = _("Start the worker and beat processes; they ask the provider for one.")
        return Check(title, WATCH, _("waiting"), _("There is no subscription yet."), advice)
    details = _details_of(newest)
    # Before its own failure: one that looks well and delivers nothing is what nobody would notice.
    quiet = missed_events.of(domain) if kind == Subscription.Kind.CALLS else None
    if quiet:
        return missed_callers(title, quiet, details)
    if newest.failure:
        summary, advice = failures.advice_for(newest.failure)
        button = Action(_("Try now"), "setup:check_now")
        return Check(title, LATE, _("failing"), summary, advice, [*details, *_next_try(newest.not_before)], button)
    if newest.state == State.READY and kind == Subscription.Kind.CALLS and health.of(domain.pk).state != "live":
        return _doubted(domain, title, details)
    if newest.state != State.READY:
        summary = _("The provider is setting it up; that takes a few seconds.")
        advice = _("If this stays, PUBLIC_URL is probably not reachable from the provider.")
        return Check(title, WATCH, _("starting"), summary, advice, details)
    if post_addresses.is_elsewhere(newest, domain):
        summary = _("The provider still posts to the previous address.")
        advice = _("The new one takes over with its first message, within a minute. If this stays, look at the way in.")
        return Check(title, WATCH, _("moving"), summary, advice, details)
    if newest.doubted_expiry:
        summary = _("The provider says that it has ended already, which cannot be right by its own clock.")
        advice = _("Nothing to do: it counts as running for as long as was asked for, and is renewed in time.")
        return Check(title, GOOD, _("live"), summary, advice, details)
    return Check(title, GOOD, _("live"), details=details)


def _details_of(newest: Subscription) -> list[Detail]:
    details = [
        Detail(_("Subscription"), newest.get_state_display()),
        *_end(newest),
        Detail(_("Last checked"), "" if newest.checked_at else _("never"), newest.checked_at),
        Detail(_("Last event"), "" if newest.heard_at else _("none yet"), newest.heard_at),
    ]
    since = timezone.now() - PROBLEMS_FOR
    odd = Delivery.objects.filter(subscription=newest, received_at__gt=since).exclude(problem="").count()
    if odd:
        details.append(Detail(_("Deliveries of the last day with a problem"), str(odd)))
    if newest.doubted_expiry:
        details.append(Detail(_("End by the provider’s word, not believed"), moment=newest.doubted_expiry))
    return details


def _end(row: Subscription) -> list[Detail]:
    """Until when it runs, unless there is none at the provider: then the end of the one before it says nothing."""
    if row.state in (State.NEW, State.LOST):
        return []
    return [Detail(_("Runs until"), "" if row.expires_at else _("not known"), row.expires_at)]


def _doubted(domain: Domain, title: str, details: list[Detail]) -> Check:
    """It stood when it was last looked at, and nobody can tell whether events still come."""
    failing = PollState.objects.filter(domain=domain, failing_since__isnull=False, failure=Unreachable.kind).first()
    if failing:
        summary, advice = failures.advice_for(failing.failure)
        return Check(title, LATE, _("not known"), summary, advice, details)
    summary = _("Nobody has looked lately whether it still stands.")
    advice = _("The worker or beat process has stopped: start it again.")
    return Check(title, LATE, _("not known"), summary, advice, details)


def missed_callers(title: str, quiet: missed_events.Silence, details: list[Detail]) -> Check:
    """The polled figures show callers of whom no call event told."""
    summary = _("%(count)s callers reached the queues since the last call event.") % {"count": quiet.callers}
    advice = _(
        "Polls and events disagree: the provider sends nothing any more, or to another address. Press “Check "
        "subscriptions now”; if that does not help, replace the secret address in the admin site."
    )
    return Check(title, LATE, _("silent"), summary, advice, details)


def agent_counts(domain: Domain) -> list[Check]:
    """Something only where the provider counts more available agents than there are idle phones."""
    if (found := agent_mismatch.of(domain)) is None:
        return []
    counts = {"queue": found.queue, "available": found.available, "idle": found.idle, "minutes": agent_mismatch.MINUTES}
    summary = _(
        "For %(minutes)d minutes the provider has counted %(available)d available in %(queue)s, "
        "but by their calls at most %(idle)d phones were idle."
    )
    advice = _(
        "People on a call may count as available at your provider, or somebody is signed in to the queue with a phone "
        "that is not theirs. Compare the queue's agents there before you set targets on availability."
    )
    return [Check(_("Available agents"), WATCH, _("differs"), summary % counts, advice)]


def sign_in(domain: Domain) -> Check:
    """Whether people can sign in with their telephony account, and who waits to be linked."""
    title = _("Sign-in")
    details = [Detail(_("Redirect address to register"), login.redirect_uri(domain), is_code=True)]
    if not domain.login_client_id:
        advice = _(
            "Add an application with the authorization code grant at the provider's developer portal, register the "
            "redirect address below, and enter its credentials at /setup/start/."
        )
        return Check(title, WATCH, _("not set up"), _("Nobody can sign in with a telephony account."), advice, details)
    details += company_domain(domain)
    waiting = len(list(people.awaiting_link(domain.pk)))
    if waiting:
        summary = _("%(count)s signed in and wait until their extension is confirmed.") % {"count": waiting}
        return Check(title, WATCH, _("people wait"), summary, _("Open the page People and link them."), details)
    return Check(title, GOOD, _("set up"), details=details)


def company_domain(domain: Domain) -> list[Detail]:
    """What the provider calls the company, by which its users are told from those of others; and what was set aside."""
    details = [
        Detail(_("PKCE"), _("used") if domain.uses_pkce else _("not used: the provider refuses it")),
        Detail(
            _("Domain at the provider"), domain.provider_domain or _("not known yet; calls will tell"), is_code=True
        ),
    ]
    if not domain.provider_domain and (named := provider_domain.candidates(domain)):
        details.append(Detail(_("Domains in calls"), ", ".join(named), is_code=True))
    foreign = Delivery.objects.filter(subscription__domain=domain, problem=provider_domain.SET_ASIDE).count()
    if foreign:
        text = _("%(count)d of the last seven days. If their domain is yours too, clear the setting in the admin site.")
        details.append(Detail(_("Messages about other domains only"), text % {"count": foreign}))
    return details


def clock_differences() -> list[Check]:
    """Something only where the clocks of our machines differ by seconds."""
    try:
        found = clocks.differences()
    # Without Redis nothing can be compared; that it is away, /readyz tells.
    except redis.RedisError:
        return []
    if not found:
        return []
    ahead, behind = _("%(seconds).0f s ahead of this server"), _("%(seconds).0f s behind this server")
    details = [
        Detail(each.machine, (ahead if each.seconds > 0 else behind) % {"seconds": abs(each.seconds)}) for each in found
    ]
    summary = _("The clocks of the machines differ; ages and waits are wrong by as much.")
    advice = _("Let every machine follow a time server (NTP), or check the one that does.")
    return [Check(_("Clocks"), WATCH, _("differ"), summary, advice, details)]
