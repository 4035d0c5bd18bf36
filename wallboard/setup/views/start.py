"""The wizard: one page per step from an empty installation to a live board; it goes on wherever somebody left off."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import auth, messages
from django.http import Http404, HttpRequest, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from accounts import domains
from accounts.access import Viewer, for_role
from accounts.companies import addresses
from accounts.models import Domain, Grant, Person, User
from accounts.signin import authorize_path, client_address, joining, login, pkce, proof_texts
from accounts.signin.start_throttle import StartThrottle
from wallboard.calls.models import Subscription
from wallboard.calls.subscriptions import maintenance
from wallboard.queues import polling
from wallboard.queues.models import PollState
from wallboard.setup import regions, status_checks
from wallboard.setup.forms import ExtensionForm, LoginForm, ProviderForm, RegionForm
from wallboard.setup.starting import answers, steps, way_in
from wallboard.setup.views import address, start_floor
from wallboard.telephony import trying

MOST_TRIES = 60  # of the provider in ten minutes, from one address
tries = StartThrottle(MOST_TRIES, "setup-start")
ROLE = Person.Role.ADMINISTRATOR


@never_cache
@require_GET
@for_role(ROLE)
def start(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """On to the step that is next."""
    return redirect("setup:start_step", steps.current(steps.of(domain_of(viewer), user_of(request))))


@never_cache
@require_http_methods(["GET", "POST"])
@for_role(ROLE)
def step(request: HttpRequest, viewer: Viewer, key: str) -> HttpResponseBase:
    """One step: what is asked, what was found, and the way on."""
    if key not in PAGES:
        raise Http404
    domain = domain_of(viewer)
    answer = PAGES[key](request, viewer, domain)
    if isinstance(answer, HttpResponseBase):
        return answer
    everything = steps.of(domain, user_of(request))
    shown = {
        "key": key,
        "title": steps.TITLES.get(key, ""),
        "steps": everything,
        "is_done": any(each.key == key and each.is_done for each in everything),
        "is_needed": key in steps.NEEDED,
        "next": steps.after(key) if key != steps.DONE else "",
        "body": f"setup/start/{key}.html",
        "domain": domain,
        "public_url": addresses.of(domain),
    }
    return render(request, "setup/start.html", shown | answer, status=400 if answer.get("is_refused") else 200)


@never_cache
@require_GET
@for_role(ROLE)
def events_state(request: HttpRequest, viewer: Viewer) -> JsonResponse:
    """How the subscription does now; the page asks every second."""
    return JsonResponse(_events(domain_of(viewer)))


def domain_of(viewer: Viewer) -> Domain:
    """The viewer's company."""
    return Domain.objects.get(pk=viewer.domain_id)


def user_of(request: HttpRequest) -> User:
    """Whoever is signed in: a view for a role is called for nobody else."""
    assert isinstance(request.user, User)
    return request.user


def go_on(key: str) -> HttpResponseBase:
    """To the step after this one."""
    return redirect("setup:start_step", steps.after(key))


def _is_too_often(request: HttpRequest) -> bool:
    if not tries.is_exceeded(client_address.of_request(request)):
        return False
    messages.error(request, _("Too many tries from your address. Wait ten minutes."))
    return True


def _provider(request: HttpRequest, viewer: Viewer, domain: Domain) -> HttpResponseBase | dict[str, Any]:
    """Address and credentials, tried as they are entered; nothing that does not work is stored."""
    is_fixed = domains.is_of_environment(domain)
    posted = request.POST if request.method == "POST" else None
    form = RegionForm(domain, posted, is_asked=True) if is_fixed else ProviderForm(domain, posted)
    shown = {"form": form, "is_fixed": is_fixed, "has_secret": bool(domain.client_secret)}
    if not regions.is_chosen(domain):
        shown["page"] = {"zones": regions.by_browser()}
    if posted is None or _is_too_often(request) or not form.is_valid():
        return shown | {"is_refused": form.is_bound}
    if isinstance(form, ProviderForm):
        known = form.cleaned_data["base_url"], form.cleaned_data["client_id"], form.secret
    else:
        known = domain.base_url, domain.client_id, domain.client_secret.open()
    tried = trying.company(*known)
    words = answers.of(tried)
    if tried.verdict != trying.Verdict.GOOD:
        return shown | {"words": words, "is_refused": True}
    if not is_fixed:
        domains.connect(domain, *known)
        _stay_signed_in(request)
        domains.set_name(domain, form.cleaned_data["name"])
    domains.set_region(domain, form.cleaned_data["time_zone"], form.cleaned_data["country"])
    start_floor.first_board(domain)  # under the company's name, which is known now
    # The next reading may fail, and calls that come before one succeeds would pass for those of people.
    polling.keep(
        domain, tried.queues, PollState.objects.filter(domain=domain).values_list("read_at", flat=True).first()
    )
    polling.poll_now(domain)
    messages.success(request, " ".join(filter(None, (words.summary, words.doubt))))
    return go_on("provider")


def _stay_signed_in(request: HttpRequest) -> None:
    """Another address ends the sign-ins that the old one stood behind, but not that of who is changing it.

    Login credentials are gone with them: without this session nobody could enter others.
    """
    user = user_of(request)
    user.refresh_from_db(fields=["session_round"])
    auth.update_session_auth_hash(request, user)


def _login(request: HttpRequest, viewer: Viewer, domain: Domain) -> HttpResponseBase | dict[str, Any]:
    """The login credentials, and what to enter in the portal for them."""
    is_fixed = domains.is_of_environment(domain) and bool(settings.PROVIDER_LOGIN_CLIENT_ID)
    form = LoginForm(domain, request.POST if request.method == "POST" and not is_fixed else None)
    shown = {"form": form, "is_fixed": is_fixed, "has_secret": bool(domain.login_client_secret)}
    shown |= {"redirect_uri": login.redirect_uri(domain), "is_early": not domain.client_id}
    shown["page"] = {"texts": {"copied": _("Copied")}, "redirect": login.redirect_uri(domain)}
    if request.method != "POST" or not domain.client_id or _is_too_often(request):
        return shown
    if not (is_fixed or form.is_valid()):
        return shown | {"is_refused": True}
    if is_fixed:
        known = domain.login_client_id, domain.login_client_secret.open()
    else:
        known = form.cleaned_data["client_id"], form.secret
    tried = trying.login(domain.base_url, *known, login.redirect_uri(domain))
    if tried.verdict != trying.Verdict.GOOD:
        return shown | {"words": answers.of_login(tried), "is_refused": True}
    if not is_fixed:
        domains.set_login(domain, *known)
    authorize_path.learn(domain)
    pkce.learn(domain)
    messages.success(request, answers.of_login(tried).summary)
    return go_on("login")


def _link(request: HttpRequest, viewer: Viewer, domain: Domain) -> HttpResponseBase | dict[str, Any]:
    """The sign-in round trip that makes this account a person with an extension."""
    user = user_of(request)
    grant = Grant.objects.filter(user=user, domain=domain, refused_at=None).select_related("domain").first()
    is_local = joining.local_person(user) is not None
    # Only after the provider has confirmed who they are, and does not say which phone is theirs.
    asks = grant is not None and is_local
    form = ExtensionForm(request.POST if request.method == "POST" and asks else None)
    if asks and form.is_bound and form.is_valid():
        try:
            joining.join(domain, user, form.cleaned_data["extension"].strip())
            return go_on("link")
        except joining.Taken:
            form.add_error("extension", _("This extension belongs to another sign-in. See Roles and sign-ins."))
    back = f"{reverse('accounts:start')}?domain={domain.slug}&join=1&next={reverse('setup:start_step', args=['link'])}"
    reasons = proof_texts.reasons(grant) if grant and is_local else []
    shown = {
        "form": form if asks else None,
        "reasons": reasons,
        "sign_in": back,
        "is_early": not domain.login_client_id,
    }
    return shown | {"is_refused": form.is_bound, "is_local": is_local}


def _events_page(request: HttpRequest, viewer: Viewer, domain: Domain) -> HttpResponseBase | dict[str, Any]:
    """The subscription, live, and what stands in the way of its first message."""
    looks: list[way_in.Look] = []
    if request.method == "POST" and domain.client_id and not _is_too_often(request):
        if "look" in request.POST:
            looks = [*way_in.public_address(addresses.of(domain)), way_in.hook(domain)]
        else:
            # Marked first: a check by itself leaves out what is not due yet.
            maintenance.check_now(domain)
            maintenance.check(domain)
    state = _events(domain)
    page = {"state": state, "url": reverse("setup:start_events")}
    return {"looks": looks, "events": state, "page": page, "is_early": not domain.client_id}


def _events(domain: Domain) -> dict[str, Any]:
    check, is_ready = status_checks.of_kind(domain, Subscription.Kind.CALLS), steps.are_events_ready(domain)
    return {
        "is_ready": is_ready,
        "state": check.state,
        "label": check.label,
        "summary": check.summary or (_("A message of the provider came back to us.") if is_ready else ""),
        "advice": check.advice,
    }


def _done(request: HttpRequest, viewer: Viewer, domain: Domain) -> HttpResponseBase | dict[str, Any]:
    """What is there now, and what is left."""
    missing = [each for each in steps.of(domain, user_of(request)) if each.is_needed and not each.is_done]
    title = _("Setting up is not finished.") if missing else _("Done")
    return {"board": start_floor.first_board(domain), "missing": missing, "title": title}


Page = Callable[[HttpRequest, Viewer, Domain], HttpResponseBase | dict[str, Any]]
PAGES: dict[str, Page] = {
    "address": address.step,
    "provider": _provider,
    "login": _login,
    "link": _link,
    "events": _events_page,
    "queues": start_floor.queues,
    "people": start_floor.people,
    "targets": start_floor.targets,
    "tv": start_floor.tv,
    steps.DONE: _done,
}
