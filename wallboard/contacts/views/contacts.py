"""The contacts page: everybody finds, adds and mends; supervisors also merge, remove and take the list with them."""

from collections.abc import Iterator

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts import audit
from accounts.access import Viewer, for_role
from accounts.models import Domain
from accounts.query_values import page_number
from accounts.saving import stamps
from accounts.sheets import answers
from wallboard.contacts import address_book, import_files, search
from wallboard.contacts.address_book import ContactInput, InvalidInput
from wallboard.contacts.forms import ContactForm, initial_of
from wallboard.contacts.models import Contact


@never_cache
@require_GET
@for_role("agent")
def contact_list(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Contacts by name, or those that were looked for."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    words = request.GET.get("q", "").strip()[:100]
    page = page_number(request.GET.get("page", ""))
    if words:
        # Once an hour for the same text, else each page and reload would be an entry.
        audit.log(domain.pk, "contacts searched", words, once=f"{timezone.now():%Y-%m-%d %H} {words}")
    found = search.search(domain, words) if words else search.page(domain, page)
    context = {"words": words, "page": page, "found": found, "country": domain.country}
    return render(request, "contacts/list.html", context)


@never_cache
@require_http_methods(["GET", "POST"])
@for_role("agent")
def add_contact(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """A new contact."""
    return _form(request, Domain.objects.get(pk=viewer.domain_id), None)


@never_cache
@require_http_methods(["GET", "POST"])
@for_role("agent")
def edit_contact(request: HttpRequest, viewer: Viewer, contact_id: int) -> HttpResponse:
    """A contact, to be changed; supervisors also see what may be the same one."""
    contact = _get_contact(viewer, contact_id)
    if request.method == "GET":
        audit.log(
            contact.domain_id, "contact looked at", str(contact), once=f"{timezone.now():%Y-%m-%d %H} {contact_id}"
        )
    return _form(request, contact.domain, contact)


@never_cache
@require_http_methods(["GET", "POST"])
@for_role("supervisor")
def merge_contact(request: HttpRequest, viewer: Viewer, contact_id: int) -> HttpResponse:
    """Choose another contact, see what both would become, and take it into this one."""
    into, parameters = _get_contact(viewer, contact_id), request.POST if request.method == "POST" else request.GET
    if into.book_id is not None:
        messages.error(request, _("This contact comes from an address book. Change it there."))
        return redirect("contacts:edit", contact_id)
    other = parameters.get("other", "")
    if request.method == "GET" and not other:
        return _choice(request, into)
    # Longer numbers do not fit the column, and would be an error of the database.
    merged = _get_contact(viewer, int(other) if other.isdecimal() and len(other) < 19 else 0)
    if request.method == "GET":
        return _preview(request, into, merged)
    try:
        address_book.merge(into, merged)
    except InvalidInput as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("Both are one contact now."))
    return redirect("contacts:edit", contact_id)


@require_POST
@for_role("supervisor")
def remove_contact(request: HttpRequest, viewer: Viewer, contact_id: int) -> HttpResponse:
    """Forget a contact; what was noted about calls stays with the calls."""
    contact = _get_contact(viewer, contact_id)
    try:
        address_book.remove(contact)
    except InvalidInput as error:
        messages.error(request, str(error))
        return redirect("contacts:edit", contact_id)
    messages.success(request, _("%(name)s was removed.") % {"name": contact})
    return redirect("contacts:contacts")


@never_cache
@require_GET
@for_role("supervisor")
def export_contacts(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Every contact as a file: as CSV, which this site and others can read again, or with `?as=xlsx`."""
    audit.log(viewer.domain_id, "contacts exported", "")
    clock = Domain.objects.get(pk=viewer.domain_id).clock
    return answers.download(answers.kind_of(request.GET) or "csv", _rows(viewer.domain_id), "contacts", clock)


def _form(request: HttpRequest, domain: Domain, contact: Contact | None) -> HttpResponse:
    initial = initial_of(contact) if contact else {"numbers": request.GET.get("number", "")[:200]}
    form = ContactForm(domain, request.POST or None, initial=initial)
    if request.method == "POST" and contact is not None and contact.book is not None:
        messages.error(request, _("This contact comes from an address book. Change it there."))
        return redirect("contacts:edit", contact.pk)
    stamp, status = stamps.shown(request, initial), 200
    if request.method == "POST" and form.is_valid():
        try:
            saved = _save(request, domain, form.cleaned_data["contact_input"], contact)
        except stamps.Changed as changed:
            messages.error(request, str(changed))
            stamp, status = changed.stamp, 409
        else:
            messages.success(request, _("%(name)s is saved.") % {"name": saved})
            return redirect("contacts:contacts")
    alike = address_book.possible_duplicates(contact) if contact and contact.book is None else []
    return render(
        request,
        "contacts/edit.html",
        {"form": form, "stamp": stamp, "contact": contact, "alike": alike, "country": domain.country},
        status=status,
    )


def _save(request: HttpRequest, domain: Domain, entry: ContactInput, contact: Contact | None) -> Contact:
    if contact is None:
        return address_book.save(domain, entry)
    with stamps.saving(request, contact, initial_of) as stored:
        return address_book.save(domain, entry, stored)


def _choice(request: HttpRequest, into: Contact) -> HttpResponse:
    words = request.GET.get("q", "").strip()[:100]
    found = (
        search.search(into.domain, words)
        if words
        else search.SearchResult(address_book.possible_duplicates(into), False)
    )
    others = [contact for contact in found.contacts if contact.pk != into.pk and contact.book_id is None]
    context = {"contact": into, "words": words, "others": others, "found": found, "country": into.domain.country}
    return render(request, "contacts/merge.html", context)


def _preview(request: HttpRequest, into: Contact, other: Contact) -> HttpResponse:
    try:
        merged = address_book.preview_merge(into, other)
    except InvalidInput as error:
        messages.error(request, str(error))
        return redirect("contacts:merge", into.pk)
    context = {"contact": into, "other": other, "merged": merged, "country": into.domain.country}
    return render(request, "contacts/merge_preview.html", context)


def _get_contact(viewer: Viewer, contact_id: int) -> Contact:
    return get_object_or_404(
        Contact.objects.select_related("domain", "book"), domain_id=viewer.domain_id, pk=contact_id
    )


def _rows(domain_id: int) -> Iterator[tuple[str, ...]]:
    people = list(Contact.objects.filter(domain_id=domain_id).prefetch_related("numbers").order_by("name", "pk"))
    most = max((len(contact.numbers.all()) for contact in people), default=1)
    yield (_("Name"), _("Company"), _("E-mail"), *(import_files.NUMBERED % {"n": n + 1} for n in range(most)))
    for contact in people:
        numbers = [row.number for row in contact.numbers.all()]
        yield (contact.name, contact.company, contact.email, *numbers, *[""] * (most - len(numbers)))
