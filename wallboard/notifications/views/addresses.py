"""Adding chat, SMS and pager addresses, one's own and the company's; webhooks and their secrets."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.access import Viewer, for_role, person_of
from accounts.models import Domain, Person
from accounts.posting import shown_once
from wallboard.notifications import destinations, trying
from wallboard.notifications.channels import webhooks
from wallboard.notifications.forms.addresses import ChatForm, WebhookForm
from wallboard.notifications.models import Channel, Destination
from wallboard.notifications.views.mine import show

EXAMPLES = (
    ("Slack", "https://hooks.slack.com/services/T0000000/B0000000/token"),
    ("Microsoft Teams", "workflows://host/workflow/signature"),
    ("Mattermost", "mmosts://chat.example.com/token"),
    ("Discord", "discord://webhook_id/webhook_token"),
    ("Google Chat", "gchat://workspace/key/token"),
    ("Telegram", "tgram://bot_token/chat_id"),
    ("ntfy", "ntfys://ntfy.example.com/topic"),
    ("Pushover", "pover://user_key@token"),
    ("PagerDuty", "pagerduty://integration_key@api_key"),
    ("Opsgenie", "opsgenie://api_key"),
    ("Twilio", "twilio://account_sid:auth_token@from_number/to_number"),
    ("ClickSend", "clicksend://user:api_key@to_number"),
)


@never_cache
@require_http_methods(["GET", "POST"])
@for_role(Person.Role.AGENT)
def chat(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Add a chat, phone or pager of one's own."""
    person = person_of(viewer)
    return _chat(request, person.domain, person, "notifications:mine")


@never_cache
@require_http_methods(["GET", "POST"])
@for_role(Person.Role.ADMINISTRATOR)
def shared_chat(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Add a chat room, phone or pager of the company, for routes to lead to."""
    return _chat(request, Domain.objects.get(pk=viewer.domain_id), None, "notifications:manage")


def _chat(request: HttpRequest, domain: Domain, person: Person | None, back: str) -> HttpResponseBase:
    form = ChatForm(request.POST or None)
    if request.method == "POST":
        if person is not None and destinations.of_person(person).count() >= destinations.MOST_PER_PERSON:
            form.add_error(None, _("Remove one first: you have as many destinations as you can have."))
        if form.is_valid():
            values = form.cleaned_data
            name = values["name"] or form.service.name
            added = destinations.add(domain, Channel.APPRISE, name, values["address"], person)
            show(request, trying.test(added))
            return redirect(back)
    context = {"form": form, "back": back, "is_shared": person is None, "examples": EXAMPLES}
    return render(request, "notifications/new_chat.html", context, status=400 if form.is_bound else 200)


@never_cache
@require_http_methods(["GET", "POST"])
@for_role(Person.Role.ADMINISTRATOR)
def new_webhook(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Add a webhook of the company; its secret is shown this once."""
    form = WebhookForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        address = webhooks.new_address(form.cleaned_data["url"])
        name = form.cleaned_data["name"] or webhooks.host_of(address)
        domain = Domain.objects.get(pk=viewer.domain_id)

        def make() -> tuple[str, str]:
            added = destinations.add(domain, Channel.WEBHOOK, name, address)
            return reverse("notifications:webhook", args=[added.pk]), address["secret"]

        return shown_once.answer(request, make)
    status = 400 if form.is_bound else 200
    return render(request, "notifications/new_webhook.html", {"form": form}, status=status)


@never_cache
@require_http_methods(["GET", "POST"])
@for_role(Person.Role.ADMINISTRATOR)
def webhook(request: HttpRequest, viewer: Viewer, destination_id: int) -> HttpResponseBase:
    """Where a webhook goes, and a new secret for it; the one in force stays valid for a day."""
    found = Destination.objects.filter(domain_id=viewer.domain_id, person=None, channel=Channel.WEBHOOK)
    destination = get_object_or_404(found, pk=destination_id)
    address = destinations.open_address(destination)
    assert not isinstance(address, str)

    def rotate() -> tuple[str, str]:
        fresh = webhooks.rotated(address)
        destinations.set_address(destination, fresh)
        messages.success(request, _("The secret before this one stays valid for another day."))
        return request.path, fresh["secret"]

    if request.method == "POST":
        return shown_once.answer(request, rotate)
    context = {"destination": destination, "host": webhooks.host_of(address), "secret": shown_once.take(request)}
    return render(request, "notifications/webhook.html", context)
