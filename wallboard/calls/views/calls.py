"""The calls of the company: those that are up now, by socket, and a log of earlier ones."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from accounts import audit, company_day, limits
from accounts.access import Viewer, for_role
from accounts.company_day import zone_of
from accounts.limits import Limit
from accounts.models import Domain, Person
from accounts.query_values import page_number
from accounts.sheets import answers
from accounts.sheets.cells import Lasting, stamp
from accounts.sheets.progress import Counted
from wallboard.calls.forms import CallFilterForm
from wallboard.calls.gaps import coverage, sentences
from wallboard.calls.log import search, whole
from wallboard.calls.log.filters import CallFilter
from wallboard.calls.log.search import LoggedCall
from wallboard.calls.texts import live_texts
from wallboard.figures import words
from wallboard.queues.models import Queue

PER_PAGE = 50
# Calls of a sheet; more is for the reports, which are added up by the database. A server may end an answer that has not
# begun after half a minute; one that tells how far it is may take longer.
MOST_EXPORTED, MOST_UNTOLD = 100_000, 10_000
FIGURES = {  # of the sheet, by column
    "wait with greeting and menu s": "calls.wait",
    "talk s": "calls.talk",
    "legs": "calls.legs",
}


@never_cache
@require_GET
@for_role(Person.Role.SUPERVISOR)
def calls(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Live calls above, the log of earlier ones below, or with `?as=csv` or `?as=xlsx` what was found as a sheet."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    form = CallFilterForm(request.GET)
    wanted = form.call_filter()
    if form.is_valid() and (kind := answers.kind_of(request.GET)):
        return sheet(kind, domain, viewer, wanted, request.GET)
    # Once an hour: each page and each reload would drown who looked at what.
    audit.log(domain.pk, "calls opened", "", once=f"{timezone.now():%Y-%m-%d %H}")
    if wanted.text:
        audit.log(domain.pk, "calls searched", wanted.text, once=f"{timezone.now():%Y-%m-%d %H} {wanted.text}")
    number = page_number(request.GET.get("page", ""))
    # One more than is shown tells whether there is a next page, without counting a year of calls.
    looked = search.look(domain.pk, wanted, PER_PAGE + 1, (number - 1) * PER_PAGE, viewer.limit)
    found = looked.calls
    queues = limits.restrict(Queue.objects.filter(domain=domain), "number", viewer.limit.queues)
    context = {
        "form": form,
        "is_filtered": wanted != CallFilter(),
        "found": found[:PER_PAGE],
        "hanging": search.hanging(domain.pk, viewer.limit),
        "missing": missing_from(domain, wanted, found[:PER_PAGE], is_newest=number == 1),
        "page_number": number,
        "has_more": len(found) > PER_PAGE,
        "looked_since": looked.looked_since,
        "further_back": further_back(domain, form, looked.looked_since),
        "zone": domain.time_zone,
        "queue_names": {queue.number: str(queue) for queue in queues},
        "page": {"socket": "calls=1", "zone": domain.time_zone, "texts": live_texts()},
    }
    return render(request, "calls/calls.html", context, status=200 if form.is_valid() else 400)


def further_back(domain: Domain, form: CallFilterForm, since: datetime | None) -> str:
    """The same search before that moment, as what follows the ? of its address."""
    return f"?{form.query(last=company_day.start(domain, since).date())}" if since else ""


def sheet(kind: str, domain: Domain, viewer: Viewer, wanted: CallFilter, asked: Mapping[str, str]) -> HttpResponseBase:
    """The calls that are wanted as a file, so many of the newest at most."""
    audit.log(domain.pk, "calls exported", f"{wanted.text} {wanted.first or ''} {wanted.last or ''}".strip())
    name = f"calls-{wanted.first or timezone.now().astimezone(zone_of(domain)).date()}"
    told = words.head_cells(FIGURES) if words.wants_words(asked) else ()
    is_told = answers.wants_progress(asked)
    rows = LogRows(domain, viewer.limit, wanted, MOST_EXPORTED if is_told else MOST_UNTOLD)
    return answers.download(kind, rows, name, domain.clock, told, is_told=is_told, reader=viewer.user_id)


class LogRows(Counted):
    """The log as rows of a sheet, `most` at most; how many they are is known once they are found."""

    def __init__(self, domain: Domain, limit: Limit, wanted: CallFilter, most: int) -> None:
        super().__init__(())
        self._domain, self._limit, self._wanted, self._most = domain, limit, wanted, most

    def __iter__(self) -> Iterator[tuple[object, ...]]:
        domain = self._domain
        found = whole.find(domain, self._wanted, self._limit, self._most + 1)
        calls = found[: self._most]
        self.total = len(calls)
        ends = search.logged(domain, [*calls[:1], *calls[-1:]])
        notes = missing_from(domain, self._wanted, ends, is_newest=True)
        if len(found) > len(calls):
            notes.append(_("Only the newest %(most)s calls are in this sheet.") % {"most": f"{self._most:,}"})
        return call_lines(whole.read(domain, calls), zone_of(domain), notes)


def missing_from(domain: Domain, wanted: CallFilter, found: tuple[LoggedCall, ...], *, is_newest: bool) -> list[str]:
    """What call events did not tell of the days that are asked for, or else of the time that the list covers."""
    now = timezone.now()
    if wanted.first or wanted.last:
        since = company_day.begin(domain, wanted.first or company_day.FIRST)
        until = company_day.end(domain, wanted.last) if wanted.last else now
    elif found:
        since, until = found[-1].started_at, now if is_newest else found[0].started_at
    else:
        since, until = company_day.start(domain, now), now
    is_one_day = company_day.start(domain, since) == company_day.start(domain, min(until, now) - timedelta(seconds=1))
    return sentences.sentences(coverage.of(domain.pk, since, until), domain, is_one_day=is_one_day)


def call_lines(found: Iterable[LoggedCall], zone: ZoneInfo, missing: list[str]) -> Iterator[tuple[object, ...]]:
    """The log as rows, with a head that ends with what is missing, in words."""
    yield (
        f"started ({zone})",
        "direction",
        "from",
        "from name",
        "queue",
        "outcome",
        "answered by",
        Lasting("wait with greeting and menu s", "wait with greeting and menu"),
        Lasting("talk s", "talk"),
        "legs",
        *missing,
    )
    for call in found:
        yield (
            stamp(call.started_at, zone),
            call.direction,
            call.caller.number or call.caller.extension,
            call.caller.name,
            call.queue,
            call.outcome,
            call.answered_by,
            call.wait_seconds,
            call.talk_seconds,
            len(call.legs),
        )
