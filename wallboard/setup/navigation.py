"""Where one can go: five places for the day, and behind them the pages of Manage, each for those who may open it.

The pages decide for themselves (`accounts.access.for_role`); tests/setup/test_navigation.py compares this with what
they answer.
"""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.access import Viewer
from accounts.models import Person, User
from accounts.signin import operators
from wallboard.setup import guides

AGENT, SUPERVISOR, ADMINISTRATOR = Person.Role.AGENT, Person.Role.SUPERVISOR, Person.Role.ADMINISTRATOR
MANAGE, OWN_DAYS = "/manage/", "/reports/mine/"
OF_AGENTS = {"/": "/boards/", "/reports/": OWN_DAYS}


@dataclass(frozen=True)
class Place:
    """A page that others lie below; `key` names its drawing in templates/_nav_icon.html.

    `for_limited`: also for supervisors who see some queues or people only. `for_staff`: "staff", "superuser" or
    "operator" where a page asks for more than a role. `also` names addresses that belong here and lie elsewhere.
    """

    key: str
    name: str | Promise
    path: str
    role: str = SUPERVISOR
    text: str | Promise = ""
    for_limited: bool = True
    for_staff: str = ""
    also: tuple[str, ...] = ()

    def is_for(self, viewer: Viewer, user: User) -> bool:
        """Whether this page opens for this viewer."""
        if self.for_staff:
            is_right = {"superuser": user.is_superuser, "operator": operators.is_operator(user), "staff": user.is_staff}
            return is_right[self.for_staff]
        return viewer.may(self.role) and (self.for_limited or not viewer.limit.is_set)


DAILY = (
    Place("wall", _("Wall"), "/", AGENT, also=("/boards/",)),
    Place("desk", _("Desk"), "/desk/", AGENT),
    Place("people", _("People"), "/people/", AGENT),
    Place("calls", _("Calls"), "/calls/"),
    Place("reports", _("Reports"), "/reports/", AGENT, also=(OWN_DAYS,)),
)
MANAGED: tuple[tuple[str | Promise, tuple[Place, ...]], ...] = (
    (
        _("Queues"),
        (
            Place(
                "alerts",
                _("Alerts"),
                "/alerts/",
                text=_("What needs somebody now, what did, and when a queue raises one"),
                also=("/notifications/",),
            ),
            Place(
                "routes",
                _("Alert routes"),
                "/setup/notifications/",
                ADMINISTRATOR,
                _("Whom alerts reach by e-mail, push, chat and webhooks"),
            ),
            Place(
                "targets", _("Targets"), "/targets/", text=_("From when a queue is on watch or late"), for_limited=False
            ),
            Place(
                "hours",
                _("Business hours"),
                "/targets/hours/",
                text=_("When queues take calls, and closed days"),
                for_limited=False,
            ),
            Place(
                "service_level",
                _("Service level"),
                "/setup/service-level/",
                ADMINISTRATOR,
                _("By which formula it is counted, and within how many seconds"),
            ),
            Place("mails", _("Reports by mail"), "/reports/mails/", text=_("Which reports go out, when, and to whom")),
            Place(
                "queues", _("Queue names"), "/setup/queues/", ADMINISTRATOR, _("Names, groups and order of the queues")
            ),
        ),
    ),
    (
        _("Screens"),
        (
            Place(
                "screens",
                _("TVs and rotations"),
                "/screens/",
                text=_("Pair TVs, see how they do, choose what they show"),
                for_limited=False,
            ),
            Place(
                "embeds",
                _("Embedded boards"),
                "/screens/embeds/",
                text=_("A board or one card on a page of your own, by a link that you can revoke"),
                for_limited=False,
            ),
        ),
    ),
    (
        _("Callers"),
        (
            Place("contacts", _("Contacts"), "/desk/contacts/", AGENT, _("Whom your company knows by number")),
            Place(
                "books",
                _("Address books"),
                "/desk/contacts/books/",
                ADMINISTRATOR,
                _("Contacts that follow a CardDAV server"),
            ),
            Place(
                "offers",
                _("Outcomes and links"),
                "/desk/offers/",
                ADMINISTRATOR,
                _("What a call can end with, and links into other programs"),
            ),
            Place(
                "callers",
                _("Caller records"),
                "/setup/callers/",
                ADMINISTRATOR,
                _("What your own program knows of a caller, on the card at the desk"),
            ),
            Place(
                "privacy",
                _("Privacy"),
                "/setup/privacy/",
                ADMINISTRATOR,
                _("How long callers are kept, and everything about one number"),
            ),
        ),
    ),
    (
        _("Staff"),
        (
            Place(
                "roles",
                _("Roles and sign-ins"),
                "/accounts/people/",
                ADMINISTRATOR,
                _("Who may do what, and whose sign-in is whose"),
            ),
            Place("teams", _("Teams"), "/teams/", ADMINISTRATOR, _("For supervisors who see some people only")),
        ),
    ),
    (
        _("System"),
        (
            Place(
                "setup",
                _("Connection"),
                "/setup/",
                ADMINISTRATOR,
                _("Whether everything is connected, and the company's time zone and country"),
            ),
            Place(
                "calibration",
                _("Calibration"),
                "/setup/calibration/",
                ADMINISTRATOR,
                _("What the provider's figures mean, proven on your own calls"),
            ),
            Place(
                "api", _("API tokens"), "/setup/api/", ADMINISTRATOR, _("For programs that read figures and contacts")
            ),
            Place(
                "webhooks",
                _("Webhooks"),
                "/setup/webhooks/",
                ADMINISTRATOR,
                _("Programs that are told of calls, call-backs and days"),
            ),
            Place(
                "configuration",
                _("Configuration"),
                "/setup/configuration/",
                ADMINISTRATOR,
                _("Everything that is set, as one file to keep or to carry over"),
            ),
            Place("brand", _("Look"), "/brand/", ADMINISTRATOR, _("Colour, logo and direction of the pages")),
            Place(
                "companies",
                _("Companies"),
                "/operator/companies/",
                text=_("Who else uses this installation, and where they sign in"),
                for_staff="operator",
            ),
            Place(
                "audit",
                _("Audit log"),
                "/admin/accounts/auditentry/",
                text=_("Who changed what, and when"),
                for_staff="superuser",
            ),
            Place(
                "admin",
                _("Admin site"),
                "/admin/",
                text=_("Everything else, for whoever runs the installation"),
                for_staff="staff",
            ),
        ),
    ),
)
LIMIT_OF_A_PERSON = "teams:limit"  # lies below /people/, and is about a role


@dataclass(frozen=True)
class Link:
    """A place in a list: `current` is what its aria-current says, "" where one is elsewhere."""

    place: Place
    path: str
    current: str


@dataclass(frozen=True)
class Navigation:
    """What one viewer finds on one page."""

    daily: tuple[Link, ...]
    groups: tuple[tuple[str | Promise, tuple[Link, ...]], ...]
    manage_current: str = ""
    help: str = ""

    @property
    def managed(self) -> tuple[Link, ...]:
        """The pages of Manage in one list."""
        return tuple(link for _name, links in self.groups for link in links)

    @property
    def alone(self) -> Link | None:
        """The one page of Manage for whom there is no second: it stands among the places of the day."""
        return self.managed[0] if len(self.managed) == 1 else None

    @property
    def here(self) -> Link | None:
        """The page of Manage that is open, or that the open page lies below."""
        return next((link for link in self.managed if link.current), None)


def of(viewer: Viewer, user: User, path: str, view_name: str) -> Navigation:
    """The navigation of a page at that path."""
    groups = [(name, tuple(place for place in places if place.is_for(viewer, user))) for name, places in MANAGED]
    groups = [(name, places) for name, places in groups if places]
    daily = [place for place in DAILY if place.is_for(viewer, user)]
    here = "/accounts/people/" if view_name == LIMIT_OF_A_PERSON else path
    found = nearest([*daily, *(place for _name, places in groups for place in places)], here)

    def link(place: Place) -> Link:
        current = "" if place is not found else "page" if path == place.path or path in place.also else "true"
        return Link(place, address(place, viewer), current)

    managed = tuple((name, tuple(map(link, places))) for name, places in groups)
    is_managed = any(found is place for _name, places in groups for place in places)
    current = "page" if path == MANAGE else "true" if is_managed else ""
    help_address = guides.chapter_of(view_name, not viewer.may(SUPERVISOR))
    return Navigation(tuple(map(link, daily)), managed, current, help_address)


def address(place: Place, viewer: Viewer) -> str:
    """Where the place lies for this viewer: agents have a start page of their own, and reports of their own days."""
    return place.path if viewer.may(SUPERVISOR) else OF_AGENTS.get(place.path, place.path)


def nearest(places: list[Place], path: str) -> Place | None:
    """The place that a page lies below: the one with the longest path; the start page is only itself."""
    fits = [
        (len(base), place)
        for place in places
        for base in (place.path, *place.also)
        if path == base or (base != "/" and path.startswith(base))
    ]
    return max(fits, key=lambda each: each[0])[1] if fits else None
