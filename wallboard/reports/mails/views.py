"""Reports by mail: administrators set them up for others, everybody who reads reports for themself."""

from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.access import Viewer, for_role, person_of
from accounts.models import Person
from accounts.saving import stamps
from wallboard.notifications import mail_servers
from wallboard.reports.day_figures import visible_queues
from wallboard.reports.mails import editing, making
from wallboard.reports.mails.forms import MailForm
from wallboard.reports.models import ReportMail, ReportRun

MOST_RUNS = 50


@never_cache
@require_http_methods(["GET", "POST"])
@for_role(Person.Role.SUPERVISOR)
def mails(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """What goes out, what went out, and a form for another one."""
    person = person_of(viewer)
    form = MailForm(person, visible_queues(viewer), request.POST if request.method == "POST" else None)
    if form.is_valid():
        editing.add(form, person)
        messages.success(request, _("Saved."))
        return redirect("reports:mails")
    return page(request, viewer, person, form, status=400 if form.is_bound else 200)


def page(request: HttpRequest, viewer: Viewer, person: Person, form: MailForm, status: int) -> HttpResponse:
    """The page with this form."""
    shown = visible(viewer)
    runs = ReportRun.objects.filter(mail__in=shown).select_related("person", "delivery")
    runs = runs.defer("delivery__content")  # pages and sheets, as long as they wait
    if not viewer.may(Person.Role.ADMINISTRATOR):
        runs = runs.filter(person=person)
    context = {
        "person": person,
        "mails": [
            (each, names(viewer, each), queue_names(viewer, each), may_change(viewer, each))
            for each in shown.prefetch_related("people")
        ],
        "runs": runs[:MOST_RUNS],
        "form": form,
        "zone": person.domain.time_zone,
        "has_mail_server": mail_servers.of_company(viewer.domain_id) is not None,
    }
    return render(request, "reports/mails.html", context, status=status)


def visible(viewer: Viewer) -> QuerySet[ReportMail]:
    """Those that the viewer gets or made; for administrators all of the company."""
    mine = ReportMail.objects.filter(domain_id=viewer.domain_id)
    if viewer.may(Person.Role.ADMINISTRATOR):
        return mine
    return mine.filter(Q(people=viewer.person_id) | Q(owner=viewer.person_id)).distinct()


def names(viewer: Viewer, mail: ReportMail) -> list[str]:
    """Whom a report goes to, of those whom the viewer may hear of."""
    return [each.name for each in mail.people.all() if may_name(viewer, each.pk)]


def may_name(viewer: Viewer, person_id: int) -> bool:
    """Whether the viewer is told that this person gets reports; of others only administrators are."""
    return viewer.may(Person.Role.ADMINISTRATOR) or person_id == viewer.person_id


def queue_names(viewer: Viewer, mail: ReportMail) -> list[str]:
    """Which queues a report is about, of those that the viewer may see; none where it is about all of them."""
    return [str(queue) for queue in visible_queues(viewer) if queue.number in mail.queues] if mail.queues else []


def may_change(viewer: Viewer, mail: ReportMail) -> bool:
    """Whether the viewer may change or remove a report, and send it to everybody it is for."""
    return viewer.may(Person.Role.ADMINISTRATOR) or mail.owner_id == viewer.person_id


@never_cache
@require_http_methods(["GET", "POST"])
@for_role(Person.Role.SUPERVISOR)
def edit_mail(request: HttpRequest, viewer: Viewer, mail_id: int) -> HttpResponseBase:
    """The form of one that goes out already."""
    mail = get_object_or_404(visible(viewer), pk=mail_id)
    if not may_change(viewer, mail):
        return redirect("reports:mails")
    person = person_of(viewer)
    stamp = stamps.shown(request, editing.chosen(mail))
    form = MailForm(person, visible_queues(viewer), request.POST if request.method == "POST" else None, mail)
    status = 400 if form.is_bound else 200
    try:
        if form.is_valid():
            now = timezone.now()
            # Else the newest would be lost to those who are to get it; not while the row is locked, as it takes long.
            making.make_due_of(get_object_or_404(visible(viewer).select_related("domain"), pk=mail.pk), now)
            with stamps.saving(request, mail, editing.chosen):
                editing.change(form, person, now)
            messages.success(request, _("Saved."))
            return redirect("reports:mails")
    except stamps.Changed as changed:
        messages.error(request, str(changed))
        stamp, status = changed.stamp, 409
    return render(request, "reports/edit_mail.html", {"form": form, "stamp": stamp}, status=status)


@require_POST
@for_role(Person.Role.SUPERVISOR)
def change_mail(request: HttpRequest, viewer: Viewer, mail_id: int) -> HttpResponseBase:
    """Send one now, remove it, or stop it for oneself, which everybody may who gets it."""
    mail = get_object_or_404(visible(viewer).select_related("domain"), pk=mail_id)
    act = request.POST.get("act")
    if act == "stop":
        editing.stop(mail, person_of(viewer))
        messages.success(request, _("You get this report no longer."))
        return redirect("notifications:mine")
    if not may_change(viewer, mail):
        return redirect("reports:mails")
    if act == "remove":
        editing.remove(mail)
        messages.success(request, _("Removed."))
    elif act == "send":
        _tell(request, viewer, making.make_now(mail, timezone.now()))
    return redirect("reports:mails")


def _tell(request: HttpRequest, viewer: Viewer, runs: list[ReportRun]) -> None:
    """Say how many reports go out now, and what keeps the others from it."""
    held = [run for run in runs if run.held_back]
    if sent := len(runs) - len(held):
        text = ngettext("%(n)d report is on its way.", "%(n)d reports are on their way.", sent)
        messages.success(request, text % {"n": sent})
    if held:
        text = ngettext("%(n)d report is held back.", "%(n)d reports are held back.", len(held))
        reasons = [f"{run.person.name}: {run.held_back}." for run in held if may_name(viewer, run.person_id)]
        messages.warning(request, " ".join([text % {"n": len(held)}, *reasons]))
