"""The pages of address books that are followed, for administrators."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST
from kombu.exceptions import OperationalError

from accounts.access import Viewer, for_role
from accounts.models import Domain, Person
from wallboard.carddav import books, tasks
from wallboard.carddav.client import Failed
from wallboard.carddav.forms import BookForm
from wallboard.contacts.models import SyncedBook
from wallboard.live.broker import send_now
from wallboard.notifications.channels.outcomes import NotSent


@never_cache
@require_http_methods(["GET", "POST"])
@for_role(Person.Role.ADMINISTRATOR)
def books_page(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """All address books of the company; a POST adds one, which is read at once."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    form = BookForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            book = books.add(domain, form.wanted())
        except books.TooMany:
            form.add_error(None, _("There are as many address books as there can be. Remove one first."))
        else:
            _start(request, book)
            return redirect("carddav:book", book.pk)
    every = SyncedBook.objects.filter(domain=domain)
    context = {
        "form": form,
        "books": [(each, books.host_of(each)) for each in every],
        "clock": domain.clock,
        "zone": domain.time_zone,
    }
    return render(request, "carddav/books.html", context, status=400 if form.is_bound else 200)


@never_cache
@require_http_methods(["GET", "POST"])
@for_role(Person.Role.ADMINISTRATOR)
def book_page(request: HttpRequest, viewer: Viewer, book_id: int) -> HttpResponseBase:
    """How one address book does, and what can be changed about it."""
    book = _book(viewer, book_id)
    form = BookForm(request.POST if request.method == "POST" else None, book)
    if form.is_valid():
        try:
            books.change(book, form.wanted())
        except books.NeedsPassword:
            form.add_error("password", _("Enter the password again: the address is at another host."))
        else:
            messages.success(request, _("Saved."))
            return redirect("carddav:book", book.pk)
    context = {
        "book": book,
        "host": books.host_of(book),
        "form": form if form.is_bound else BookForm(book=book),
        "contacts": book.contacts.count(),
        "clock": book.domain.clock,
        "zone": book.domain.time_zone,
    }
    return render(request, "carddav/book.html", context, status=400 if form.is_bound else 200)


@never_cache
@require_POST
@for_role(Person.Role.ADMINISTRATOR)
def act(request: HttpRequest, viewer: Viewer, book_id: int) -> HttpResponse:
    """Test it, read it now, pause it, let it go on, or remove it with or without its contacts, as `do` says."""
    book, wanted = _book(viewer, book_id), request.POST.get("do", "")
    if wanted in ("remove", "keep"):
        books.remove(book, keeps_contacts=wanted == "keep")
        messages.success(request, _("%(name)s is removed.") % {"name": book})
        return redirect("carddav:books")
    if wanted in ("pause", "resume"):
        books.pause(book, paused=wanted == "pause")
    elif wanted == "test":
        _test(request, book)
    elif wanted == "sync":
        _start(request, book)
    return redirect("carddav:book", book.pk)


def _test(request: HttpRequest, book: SyncedBook) -> None:
    try:
        found = books.try_out(book)
    except (Failed, NotSent) as failure:
        messages.error(request, str(failure))
    else:
        name = found.name[:200] or book.name
        messages.success(request, _("The address book “%(name)s” can be read.") % {"name": name})


def _start(request: HttpRequest, book: SyncedBook) -> None:
    """Have it read now; where Redis is away, beat comes round to it."""
    books.be_due(book)
    try:
        send_now(tasks.sync_book, book.pk, expires=tasks.EXPIRES_SECONDS)
    except OperationalError:
        messages.error(request, _("It cannot begin right now: Redis is away. Try again in a moment."))
    else:
        messages.success(request, _("The address book is being read. Reload this page in a moment."))


def _book(viewer: Viewer, book_id: int) -> SyncedBook:
    found = SyncedBook.objects.filter(domain_id=viewer.domain_id).select_related("domain")
    return get_object_or_404(found, pk=book_id)
