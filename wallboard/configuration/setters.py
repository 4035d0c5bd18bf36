"""One function for each section of the document: it sets what differs, through the room whose setting it is."""

import re
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from django.db.models import Field
from django.utils.translation import gettext as _
from msgspec import UNSET
from msgspec.structs import asdict

from accounts import audit, limits
from accounts.languages.digits import ascii_digits
from accounts.models import Domain, Person, Team
from wallboard.alerts import rules
from wallboard.alerts.kinds import KINDS
from wallboard.alerts.rules import RuleInput
from wallboard.alerts.ruling import kind_rules
from wallboard.alerts.ruling.kind_rules import KindInput
from wallboard.carddav import books
from wallboard.carddav.books import BookInput
from wallboard.configuration import document as d
from wallboard.configuration import shown_setters
from wallboard.configuration.places import Place, Wrong
from wallboard.contacts.models import Link, SyncedBook
from wallboard.desk import outcomes
from wallboard.desk.outcomes import LinkInput
from wallboard.notifications import outbound
from wallboard.queues import editing
from wallboard.queues.hours import timetables
from wallboard.queues.hours.timetables import BadHours, Timetable
from wallboard.queues.models import Queue, Target
from wallboard.reports.service import rules as service
from wallboard.reports.service.rules import OwnSeconds
from wallboard.reports.service_level import FORMULAS, Rule
from wallboard.setup import brands
from wallboard.setup.brands import BrandInput

# As extensions, and with the star codes that some telephones dial; it stands in the address of the queue's board.
QUEUE_NUMBER = re.compile(r"\A(?!\.{1,2}\Z)[\w.+*#-]+\Z")
Setter = Callable[[Domain, Any, Any, Place], None]


def _company(domain: Domain, wanted: d.CompanySettings, present: d.CompanySettings, place: Place) -> None:
    values = {name: value for name, value in asdict(wanted).items() if value is not UNSET}
    for name, value in values.items():
        place.at(f".{name}")
        setattr(domain, name, value)
        column = domain._meta.get_field(name)
        if value is not None and isinstance(column, Field):
            column.clean(value, domain)
    place.at("")
    domain.save(update_fields=list(values))
    before = {name: getattr(present, name) for name in values}
    audit.log_changes(domain.pk, "company changed", domain.slug, audit.differences(before, values))


def _look(domain: Domain, wanted: d.Look, _present: d.Look, _place: Place) -> None:
    brand = brands.of(domain.pk)
    brands.save(domain, BrandInput(wanted.colour, brand.logo if brand else None, wanted.direction))


def _teams(domain: Domain, wanted: list[d.TeamSettings], present: list[d.TeamSettings], place: Place) -> None:
    for each in place.changed(wanted, present):
        members = [shown_setters.person(domain, extension).extension for extension in each.people]
        limits.save_team(domain, each.name, members, Team.objects.filter(domain=domain, name=each.name).first())


def _limits(domain: Domain, wanted: list[d.LimitSettings], present: list[d.LimitSettings], place: Place) -> None:
    for each in place.changed(wanted, present):
        person = shown_setters.person(domain, each.extension)
        if person.role == Person.Role.ADMINISTRATOR:
            raise Wrong(_("An administrator sees everything."))
        shown_setters.known_queues(domain, each.queues, person.only_queues)
        limits.set_limit(person, each.queues, shown_setters.team_named(domain, each.team) if each.team else None)


def _every_queue(domain: Domain, wanted: d.EveryQueue, present: d.EveryQueue, place: Place) -> None:
    place.at(".targets")
    if wanted.targets != present.targets:
        _set_targets(domain, None, wanted.targets)
    place.at(".hours")
    if wanted.hours != present.hours:
        _set_hours(domain, None, wanted.hours)
    place.at(".alert_rule")
    if wanted.alert_rule != present.alert_rule:
        rules.save(domain, {None: _rule(wanted.alert_rule)})


def _queues(domain: Domain, wanted: list[d.QueueSettings], present: list[d.QueueSettings], place: Place) -> None:
    known = {each.number: each for each in present}
    for index, each in enumerate(wanted):
        place.at(f"[{index}]")
        queue, is_new = _queue(domain, each.number)
        before = known.get(queue.number, d.QueueSettings(number=queue.number))
        if is_new or before != each:
            _set_queue(domain, queue, each, before, place, f"[{index}]")


def _queue(domain: Domain, number: str) -> tuple[Queue, bool]:
    """The queue with this number, and whether it was made now. Raises Wrong for what no provider calls a queue; one
    that is there stays, whatever it is called.
    """
    if known := Queue.objects.filter(domain=domain, number=number).first():
        return known, False
    number = ascii_digits(number)
    if not QUEUE_NUMBER.fullmatch(number):
        text = _(
            "“%(number)s” cannot be the number of a queue: it may have letters, digits and the signs . - _ + * # only."
        )
        raise Wrong(text % {"number": number})
    return Queue.objects.get_or_create(domain=domain, number=number)


def _set_queue(
    domain: Domain, queue: Queue, wanted: d.QueueSettings, before: d.QueueSettings, place: Place, part: str
) -> None:
    names = ("name", "group", "order", "is_hidden")
    values = {name: getattr(wanted, name) for name in names if getattr(wanted, name) != getattr(before, name)}
    editing.edit(queue, **values)
    place.at(f"{part}.targets")
    if wanted.targets != before.targets:
        _set_targets(domain, queue, wanted.targets)
    place.at(f"{part}.hours")
    if wanted.hours != before.hours:
        _set_hours(domain, queue, wanted.hours)
    place.at(f"{part}.alert_rule")
    if wanted.alert_rule != before.alert_rule:
        rules.save(domain, {queue: _rule(wanted.alert_rule)})
    place.at(f"{part}.service_level")
    if wanted.service_level != before.service_level:
        own = wanted.service_level or d.OwnService()
        service.save(domain, None, {queue.number: OwnSeconds(own.target_seconds, own.short_seconds)})


def _set_targets(domain: Domain, queue: Queue | None, bounds: d.Bounds | None) -> None:
    stored = Target.objects.filter(domain=domain, queue=queue).first()
    if bounds is None:
        if stored is not None:
            editing.drop_targets(stored)
        return
    Target(domain=domain, queue=queue, **asdict(bounds)).clean()
    editing.set_targets(domain, queue, asdict(bounds))


def _set_hours(domain: Domain, queue: Queue | None, wanted: d.HoursSettings | None) -> None:
    if wanted is None:
        timetables.drop_hours(domain, queue)
        return
    try:
        week = tuple(timetables.read_ranges(line) for line in wanted.week)
        days = timetables.read_days("\n".join(wanted.closed_days))
    except BadHours as wrong:
        raise Wrong(str(wrong)) from None
    timetables.set_hours(domain, queue, Timetable(week, days, wanted.keeps_closed_days, wanted.counts_outside))


def _rule(wanted: d.AlertRule | None) -> RuleInput:
    own = wanted or d.AlertRule()
    return RuleInput(own.level, own.stays_seconds, own.cooldown_seconds)


def _service_level(domain: Domain, wanted: d.ServiceLevel, _present: d.ServiceLevel, place: Place) -> None:
    if wanted == d.ServiceLevel(formula="", target_seconds=None, short_seconds=None, is_open_only=False):
        service.choose_none(domain)
        return
    usual = Rule()
    formula = wanted.formula or usual.formula
    place.at(".formula")
    if formula not in FORMULAS:
        raise Wrong(_("There is no such formula: %(name)s.") % {"name": formula})
    place.at("")
    target = usual.target if wanted.target_seconds is None else wanted.target_seconds
    short = usual.short if wanted.short_seconds is None else wanted.short_seconds
    service.save(domain, Rule(formula, target, short, wanted.is_open_only), {})


def _kinds(domain: Domain, wanted: dict[str, d.AlertKind], present: dict[str, d.AlertKind], place: Place) -> None:
    found = {}
    for kind, each in wanted.items():
        place.at(f".{kind}")
        if kind not in KINDS:
            raise Wrong(_("There is no such kind of alert."))
        if each != present.get(kind):
            found[kind] = KindInput(each.is_on, each.level, each.stays_seconds)
    kind_rules.save(domain, found)


def _address_books(
    domain: Domain, wanted: list[d.AddressBookSettings], present: list[d.AddressBookSettings], place: Place
) -> None:
    for each in place.changed_by_name(wanted, present):
        stored = SyncedBook.objects.filter(domain=domain, name=each.name).order_by("pk").first()
        entered = BookInput(each.name, each.url, each.username, "")
        try:
            if stored is not None:
                books.change(stored, entered)
            else:
                # Nobody has entered its password yet.
                books.pause(books.add(domain, entered), paused=True)
        except outbound.Refused as refusal:
            raise Wrong(refusal.reason) from None
        except books.NeedsPassword:
            raise Wrong(_("Enter the password again: the address is at another host.")) from None
        except books.TooMany:
            raise Wrong(_("There are as many address books as there can be. Remove one first.")) from None


def _outcomes(domain: Domain, wanted: list[str], _present: list[str], _place: Place) -> None:
    outcomes.save_outcomes(domain, wanted)


def _links(domain: Domain, wanted: d.Links, _present: d.Links, _place: Place) -> None:
    known: dict[str, list[int]] = defaultdict(list)
    for link in Link.objects.filter(domain=domain):
        known[link.name].append(link.pk)
    # Of two with the same name the first stays the first.
    entries = [
        LinkInput(known[each.name].pop(0) if known[each.name] else None, each.name, each.template)
        for each in wanted.links
    ]
    outcomes.save_links(domain, wanted.hosts, entries)


# What others point at comes before them.
IN_ORDER: dict[str, Setter] = {
    "company": _company,
    "look": _look,
    "teams": _teams,
    "every_queue": _every_queue,
    "queues": _queues,
    "limits": _limits,
    "service_level": _service_level,
    "alert_kinds": _kinds,
    "routes": shown_setters.set_routes,
    "boards": shown_setters.set_boards,
    "rotations": shown_setters.set_rotations,
    "screens": shown_setters.set_screens,
    "address_books": _address_books,
    "outcomes": _outcomes,
    "links": _links,
}
