"""What a company has set, as a document."""

from collections.abc import Container, Iterable
from datetime import time
from typing import Any

from accounts.models import Domain, Person, Team
from wallboard.alerts import rules
from wallboard.alerts.rules import RuleInput
from wallboard.alerts.ruling import kind_rules
from wallboard.boards import layout as layouts
from wallboard.boards.models import Board
from wallboard.carddav import books
from wallboard.configuration import document as d
from wallboard.contacts.models import Link, LinkHost, SyncedBook
from wallboard.desk.models import Outcome
from wallboard.notifications.models import Route
from wallboard.queues.editing import TARGET_FIELDS
from wallboard.queues.hours import timetables
from wallboard.queues.models import Hours, Queue, Target
from wallboard.reports.models import ServiceRule
from wallboard.screens import rotations, screens
from wallboard.screens.models import Screen
from wallboard.setup import brands

COMPANY_FIELDS = d.CompanySettings.__struct_fields__


def export(domain: Domain) -> d.Configuration:
    """The whole configuration of a company."""
    bounds = {each.queue_id: _bounds(each) for each in Target.objects.filter(domain=domain)}
    hours = {each.queue_id: _hours(each) for each in Hours.objects.filter(domain=domain)}
    alerts = {number: _rule(each) for number, each in rules.stored_inputs(domain.pk).items()}
    service = {each.queue_id: each for each in ServiceRule.objects.filter(domain=domain)}
    every_queue = d.EveryQueue(targets=bounds.get(None), hours=hours.get(None), alert_rule=alerts.get(None))
    queues = [
        d.QueueSettings(
            number=each.number,
            name=each.name,
            group=each.group,
            order=each.order,
            is_hidden=each.is_hidden,
            targets=bounds.get(each.pk),
            hours=hours.get(each.pk),
            alert_rule=alerts.get(each.number),
            service_level=_own(service.get(each.pk)),
        )
        for each in Queue.objects.filter(domain=domain)
    ]
    numbers = {each.number for each in queues}
    return d.Configuration(
        version=1,
        company=d.CompanySettings(**{name: getattr(domain, name) for name in COMPANY_FIELDS}),
        look=_look(domain),
        teams=[d.TeamSettings(name=each.name, people=_people(each)) for each in Team.objects.filter(domain=domain)],
        limits=_limits(domain, numbers),
        every_queue=every_queue,
        queues=queues,
        service_level=_service_level(service.get(None)),
        alert_kinds=_kinds(domain),
        routes=[_route(each, numbers) for each in Route.objects.filter(domain=domain).prefetch_related("steps")],
        boards=[_board(each) for each in Board.objects.filter(domain=domain).order_by("slug")],
        rotations=[_rotation(each) for each in rotations.all_rotations(domain)],
        screens=[_screen(each) for each in screens.active_screens(domain)],
        address_books=_address_books(domain),
        outcomes=list(Outcome.objects.filter(domain=domain, is_offered=True).values_list("name", flat=True)),
        links=_links(domain),
    )


def _bounds(target: Target) -> d.Bounds:
    return d.Bounds(**{name: getattr(target, name) for name in TARGET_FIELDS})


def _hours(row: Hours) -> d.HoursSettings:
    stored = timetables.timetable_of(row)
    return d.HoursSettings(
        week=[timetables.shown_ranges(ranges) for ranges in stored.week],
        closed_days=timetables.shown_days(stored.closed_days).splitlines(),
        keeps_closed_days=stored.keeps_closed_days,
        counts_outside=stored.counts_outside,
    )


def _rule(stored: RuleInput) -> d.AlertRule:
    level: Any = stored.level
    return d.AlertRule(level=level, stays_seconds=stored.stays_seconds, cooldown_seconds=stored.cooldown_seconds)


def _own(rule: ServiceRule | None) -> d.OwnService | None:
    return d.OwnService(target_seconds=rule.target_seconds, short_seconds=rule.short_seconds) if rule else None


def _service_level(rule: ServiceRule | None) -> d.ServiceLevel:
    if rule is None:
        return d.ServiceLevel(formula="", target_seconds=None, short_seconds=None, is_open_only=False)
    return d.ServiceLevel(
        formula=rule.formula,
        target_seconds=rule.target_seconds,
        short_seconds=rule.short_seconds,
        is_open_only=rule.is_open_only,
    )


def _kinds(domain: Domain) -> dict[str, d.AlertKind]:
    found = {}
    for kind, stored in sorted(kind_rules.stored_inputs(domain.pk).items()):
        level: Any = stored.level
        found[kind] = d.AlertKind(is_on=stored.is_on, level=level, stays_seconds=stored.stays_seconds)
    return found


def _people(of: Any) -> list[str]:
    return sorted(of.people.values_list("extension", flat=True))


def _limits(domain: Domain, numbers: Container[str]) -> list[d.LimitSettings]:
    limited = Person.objects.filter(domain=domain).select_related("only_team").order_by("extension")
    return [
        d.LimitSettings(
            extension=each.extension,
            queues=_known(each.only_queues, numbers),
            team=each.only_team.name if each.only_team else None,
        )
        for each in limited
        if each.only_queues is not None or each.only_team is not None
    ]


def _route(route: Route, numbers: Container[str]) -> d.RouteSettings:
    level: Any = route.level
    return d.RouteSettings(
        name=route.name,
        is_enabled=route.is_enabled,
        kinds=_sorted(route.kinds),
        queues=_known(route.queues, numbers),
        groups=_sorted(route.groups),
        level=level,
        days=route.days,
        from_time=_time(route.from_time),
        until_time=_time(route.until_time),
        repeat_seconds=route.repeat_seconds,
        tells_resolved=route.tells_resolved,
        steps=[
            d.RouteStep(
                after_seconds=each.after_seconds,
                people=_people(each),
                teams=sorted(each.teams.values_list("name", flat=True)),
                destinations=sorted(each.destinations.filter(person=None).values_list("name", flat=True)),
            )
            for each in route.steps.all()
        ],
    )


def _sorted(names: Iterable[Any] | None) -> list[str] | None:
    return None if names is None else sorted(map(str, names))


def _known(queues: Iterable[Any] | None, numbers: Container[str]) -> list[str] | None:
    """Those of these queues that are there: another company would refuse the rest."""
    return None if queues is None else [each for each in sorted(map(str, queues)) if each in numbers]


def _time(moment: time | None) -> str | None:
    return None if moment is None else moment.strftime("%H:%M")


def _board(board: Board) -> d.BoardSettings:
    theme: Any = board.theme
    return d.BoardSettings(
        slug=board.slug,
        name=board.name,
        theme=theme,
        notice=board.notice,
        time_zone=board.time_zone,
        language=board.language,
        layout=without_pictures(layouts.layout_of(board).as_json()),
    )


def without_pictures(layout: dict[str, Any]) -> dict[str, Any]:
    """The layout with no reference to a picture: those are another company's elsewhere."""
    if "cards" not in layout:
        return layout
    return {**layout, "cards": [{**card, "image": None} if "image" in card else card for card in layout["cards"]]}


def _rotation(rotation: Any) -> d.RotationSettings:
    steps = [d.RotationStep(board=board.slug, seconds=seconds) for board, seconds in rotations.steps_of(rotation)]
    return d.RotationSettings(name=rotation.name, steps=steps)


def _look(domain: Domain) -> d.Look:
    brand = brands.of(domain.pk)
    direction: Any = brand.direction if brand else ""
    return d.Look(colour=brand.colour if brand else "", direction=direction)


def _screen(screen: Screen) -> d.ScreenSettings:
    return d.ScreenSettings(
        name=screen.name,
        board=screen.board.slug,
        rotation=screen.rotation.name if screen.rotation else None,
        language=screen.language,
        has_sound=screen.has_sound,
        shows_numbers=screen.shows_numbers,
    )


def _address_books(domain: Domain) -> list[d.AddressBookSettings]:
    every = [(each, books.stored_url(each)) for each in SyncedBook.objects.filter(domain=domain)]
    # Without its key an address cannot be told.
    return [d.AddressBookSettings(name=each.name, url=url, username=each.username) for each, url in every if url]


def _links(domain: Domain) -> d.Links:
    return d.Links(
        hosts=list(LinkHost.objects.filter(domain=domain).order_by("host").values_list("host", flat=True)),
        links=[d.LinkSettings(name=each.name, template=each.template) for each in Link.objects.filter(domain=domain)],
    )
