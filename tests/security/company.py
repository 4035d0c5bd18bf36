"""A company in which everything that people can read carries the company's own word."""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import uuid4

from django.test import Client
from django.utils import timezone

from accounts.encryption import sealed
from accounts.models import CompanyToken, Domain, Grant, Lease, Passkey, Person, Team, User
from wallboard.alerts.models import Alert
from wallboard.api import tokens
from wallboard.api.tokens import TokenInput
from wallboard.boards import editing
from wallboard.boards.editor import drafts
from wallboard.boards.models import Board, Image
from wallboard.calls.models import Delivery, Leg, Presence, Record, Subscription
from wallboard.calls.webhooks import hook_secrets
from wallboard.carddav import books
from wallboard.carddav.books import BookInput
from wallboard.contacts import address_book, imports
from wallboard.desk.models import Claim, Note
from wallboard.notifications import destinations, mutes, routes
from wallboard.notifications.models import Channel
from wallboard.notifications.routes import StepInput
from wallboard.outgoing import endpoints
from wallboard.outgoing.endpoints import EndpointInput
from wallboard.queues.models import PollState, Queue, Sample, Target
from wallboard.reports.models import ReportMail
from wallboard.screens import pairing, rotations, screens
from wallboard.screens.embeds import links
from wallboard.screens.embeds.links import EmbedInput
from wallboard.screens.models import Rotation, Screen
from wallboard.setup.models import Brand

PAGE = "a-page-of-a-browser"
CALL = "the-call"


@dataclass
class Company:
    """`word` stands in every name, note and notice of this company, and in nothing of another's."""

    word: str
    domain: Domain
    board: Board
    spare: Board
    queue: Queue
    screen: Screen
    token: str
    secret: str
    embed: str = ""
    people: dict[str, Person] = field(default_factory=dict)
    legs: dict[str, Leg] = field(default_factory=dict)
    waiting: User | None = None
    superuser: User | None = None

    @property
    def rotation(self) -> Rotation:
        """A rotation that no screen shows."""
        return self.domain.rotations.get()

    @property
    def team(self) -> Team:
        """A team that nobody is limited to."""
        return self.domain.teams.get(name=f"{self.word} team")

    @property
    def drafted(self) -> Board:
        """A board that somebody changed and has not published."""
        return Board.objects.get(domain=self.domain, draft__version=1)

    @property
    def image(self) -> Image:
        """A picture that no board shows."""
        return Image.objects.get(domain=self.domain)

    def draft(self) -> dict[str, Any]:
        """What an editor posts to change the company's board."""
        content = {"name": f"{self.word} changed", "theme": "dark", "notice": "", "layout": {"rows": 6, "cards": []}}
        return {"content": content, "version": 0, "board_version": self.board.version}

    def browser(self, who: str, **options: object) -> Client:
        """A browser of that kind of visitor."""
        client = Client(**options)  # type: ignore[arg-type]
        if who == "screen":
            client.cookies.load(dict.fromkeys(screens.NAMES.values(), self.token))
        elif who != "nobody":
            user = {"unlinked": self.waiting, "superuser": self.superuser}.get(who)
            client.force_login(user or self.user(who))
        return client

    def user(self, role: str) -> User:
        user = self.people[role].user
        assert user is not None
        return user

    def code(self) -> str:
        """The code of a TV that waits to be paired."""
        return pairing.begin().code


def made(word: str) -> Company:
    """The company, with rows in every table that belongs to one."""
    domain = Domain.objects.create(
        slug=word, name=f"{word} works", base_url="http://127.0.0.1:1", client_id=f"{word}-id", country="DE",
        client_secret=sealed("secret"), login_client_id="login", login_client_secret=sealed("secret"),
    )  # fmt: skip
    board = editing.create(
        domain, editing.BoardInput(f"{word} board", notice=f"{word} notice"), slug=f"{word[0]}-board"
    )
    spare = editing.create(domain, editing.BoardInput(f"{word} spare"), slug=f"{word[0]}-spare")
    Brand.objects.create(domain=domain, colour="#0a6e5c")
    queue = Queue.objects.create(domain=domain, number="800", name=f"{word} queue")
    screen, token = screens.create(board, f"{word} screen")
    rotations.save(domain, rotations.RotationInput(f"{word} rotation", ((board, 20), (board, 30))))
    embed = EmbedInput(f"{word} frame", board, "", ("https://intranet.example.com",))
    company = Company(word, domain, board, spare, queue, screen, token, f"secret-of-{word}-0123456789-0123456789")
    _, company.embed = links.make(domain, embed)
    _people(company)
    _drafts(company)
    _upkeep(company)
    _contacts(company)
    _messages(company)
    tokens.make(domain, TokenInput(f"{word} program", ("queues", "contacts")))
    endpoints.add(domain, EndpointInput(f"{word} hearer", "https://hearer.example.com/hook", ("day.ended",)))
    for role, person in company.people.items():
        company.legs[role] = _call(company, person)
    company.legs["hanging"] = _hanging(company)
    return company


def _drafts(company: Company) -> None:
    """A board with a draft, and a picture."""
    word, domain = company.word, company.domain
    drafted = editing.create(domain, editing.BoardInput(f"{word} drafted"), slug=f"{word[0]}-drafted")
    drafts.save(drafted, editing.BoardInput(f"{word} draft"), version=0, board_version=1)
    Image.objects.create(
        domain=domain, name=f"{word} picture", digest="d" * 64, kind="image/png", width=1, height=1, data=b"pixels"
    )


def _contacts(company: Company) -> None:
    for name in ("contact", "other"):
        wish = address_book.ContactInput(f"{company.word} {name}", numbers=(f"+49309018{30 + len(name)}",))
        address_book.save(company.domain, wish)
    wanted = BookInput(f"{company.word} book", "https://cards.example.com/", company.word, "secret")
    books.add(company.domain, wanted)
    imports.create(company.domain, company.people["supervisor"], "list.csv", f"{company.word},030901899".encode())


def _messages(company: Company) -> None:
    """A destination of everybody and one of the company, a route, and a mute."""
    word, domain = company.word, company.domain
    for person in (*company.people.values(), None):
        destinations.add(domain, Channel.EMAIL, f"{word} mail", f"{word}@example.com", person)
    webhook = {"url": f"https://hooks.example.com/{word}", "secret": "whsec_AAAA"}
    destinations.add(domain, Channel.WEBHOOK, f"{word} webhook", webhook)
    routes.save(domain, {"name": f"{word} route"}, [StepInput(0, [company.people["administrator"]])])
    until = timezone.now() + timedelta(hours=1)
    mutes.begin(company.people["supervisor"], company.queue, until, f"{word} reason")
    report = ReportMail.objects.create(domain=company.domain, owner=company.people["supervisor"], parts=["queues"])
    report.people.add(company.people["supervisor"])


def _people(company: Company) -> None:
    word, domain = company.word, company.domain
    for number, role in enumerate(("agent", "supervisor", "administrator"), 101):
        user = User.objects.create(username=f"{word}-{role}")
        person = Person.objects.create(
            domain=domain, extension=str(number), name=f"{word} {role}", role=role, user=user
        )
        Presence.objects.create(person=person)
        secret = f"{word} {role}".encode()
        Passkey.objects.create(
            user=user, name=f"{word} key", credential_id=secret, user_handle=secret, public_key=secret
        )
        company.people[role] = person
    Person.objects.create(domain=domain, extension="104", name=f"{word} second", role="administrator")
    Team.objects.create(domain=domain, name=f"{word} team")
    company.waiting = User.objects.create(username=f"{word}-waiting", link_code="4711")
    for user in [company.waiting, company.user("agent")]:
        Grant.objects.create(domain=domain, user=user, access_token=sealed("token"), refresh_token=sealed("token"))
    company.superuser = User.objects.create(username=f"{word}-root", is_superuser=True, is_staff=True)


def _upkeep(company: Company) -> None:
    """The rows that our own processes keep about the provider."""
    word, domain, now = company.word, company.domain, timezone.now()
    CompanyToken.objects.create(domain=domain, access_token=sealed("token"))
    Lease.objects.create(name=f"poll {word}", until=now)
    PollState.objects.create(domain=domain, version=1, read_at=now, tried_at=now)
    Sample.objects.create(
        queue=company.queue, minute=now.replace(second=0, microsecond=0), readings=9, waiting=1, most_waiting=1,
        longest_wait_seconds=9, watch_seconds=0, late_seconds=0, nobody_seconds=0,
    )  # fmt: skip
    Target.objects.create(domain=domain, queue=company.queue, waiting_late=9)
    Alert.objects.create(domain=domain, queue=company.queue, level="late", worst="late", began_at=now, raised_at=now)
    subscription = Subscription.objects.create(
        domain=domain, kind="calls", state="ready", secret=sealed(company.secret), ready_at=now, heard_at=now,
        secret_hash=hook_secrets.hash_of(company.secret), request_body=sealed("{}"), expires_at=now + timedelta(days=7),
        checked_at=now,
    )  # fmt: skip
    Delivery.objects.create(identity=uuid4(), subscription=subscription, received_at=now, body="{}", applied_at=now)


def _call(company: Company, person: Person) -> Leg:
    """A call that rings this person's phone, with a colleague's note on the caller and a record of an earlier one."""
    word, domain, now = company.word, company.domain, timezone.now()
    call = f"{CALL}-{person.extension}"
    leg = Leg.objects.create(
        domain=domain, from_call_id=call, to_call_id=f"leg-{person.extension}", from_state="ringing",
        to_state="ringing", from_number="+4930901820", from_name=f"{word} caller", caller_e164="+4930901820",
        to_user=person.extension, first_seen_at=now, ringing_at=now, heard_at=now, version=1,
    )  # fmt: skip
    Record.objects.create(domain=domain, from_call_id=f"old-{call}", to_call_id="x", received_at=now)
    Note.objects.create(
        domain=domain, person=person, call_id=f"old-{call}", number_e164="+4930901820", text=f"{word} note", stamp=1
    )
    Claim.objects.create(person=person, call_id="another", page=PAGE, until=now)
    return leg


def _hanging(company: Company) -> Leg:
    """A call of which nothing was heard for long, at a phone of its own."""
    began = timezone.now() - timedelta(minutes=20)
    return Leg.objects.create(
        domain=company.domain, from_call_id="hanging", to_call_id="hanging-104", from_state="active", to_state="active",
        from_number="+4930901844", from_name=f"{company.word} hanging", caller_e164="+4930901844", to_user="104",
        first_seen_at=began, active_at=began, heard_at=began, is_unconfirmed=True, version=1,
    )  # fmt: skip
