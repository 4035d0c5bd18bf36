"""A company with two floors: a supervisor who may see only one of them, and everything of the other in one word."""

from dataclasses import dataclass, field
from datetime import datetime
from uuid import uuid4

from django.test import Client
from django.utils import timezone

from accounts import limits
from accounts.models import Person, Team
from tests.security.company import Company
from wallboard.boards import editing, layout
from wallboard.boards.models import Board
from wallboard.calls.models import Leg, Presence
from wallboard.desk import callbacks
from wallboard.desk.models import CallBack
from wallboard.queues.models import Queue, Sample

HIDDEN = "zebra"  # stands in every name and number of the other floor
HIDDEN_NUMBER, SHOWN_NUMBER = "+49309999900", "+49301111100"
BOTH_FLOORS = "+493022222200"  # rang the shown floor first, then the other, whose person means to ring back


@dataclass
class Floors:
    """The supervisor is limited to queue 810 and the team of 121, beside the floor of queue 866 and 122."""

    company: Company
    team: Team
    supervisor: Person
    boards: dict[str, Board] = field(default_factory=dict)

    def browser(self) -> Client:
        return self.company.browser("supervisor")


def made(company: Company) -> Floors:
    """Both floors, each with a queue, somebody in it, a call that waits, one that is spoken, one that was missed."""
    supervisor = company.people["supervisor"]
    for number, extension, name, caller in (
        ("810", "121", "shown", SHOWN_NUMBER),
        ("866", "122", HIDDEN, HIDDEN_NUMBER),
    ):
        queue = Queue.objects.create(domain=company.domain, number=number, name=f"{name} queue", order=9)
        person = Person.objects.create(domain=company.domain, extension=extension, name=f"{name} person")
        Presence.objects.create(person=person)
        Sample.objects.create(
            queue=queue, minute=timezone.now().replace(second=0, microsecond=0), readings=9, waiting=1, most_waiting=1,
            longest_wait_seconds=9, watch_seconds=0, late_seconds=0, nobody_seconds=0,
        )  # fmt: skip
        call(company, f"{caller}1", name, queue=number)
        call(company, f"{caller}2", name, queue=number, person=extension, is_over=True)
        call(company, f"{caller}3", name, person=extension)
        call(company, f"{caller}4", name, person=extension, is_missed=True)
    call(company, BOTH_FLOORS, "shown", person="121", is_missed=True)
    call(company, BOTH_FLOORS, HIDDEN, queue="866", person="122", is_over=True, is_missed=True)
    other = Person.objects.get(domain=company.domain, extension="122")
    CallBack.objects.create(domain=company.domain, number_e164=BOTH_FLOORS, owner=other)
    team = limits.save_team(company.domain, "shown team", ["121", supervisor.extension])
    floors = Floors(company, team, supervisor)
    for name, number in (("shown", "810"), (HIDDEN, "866")):
        wish = editing.BoardInput(f"{name} board", layout=layout.Layout(queues=(number,)))
        floors.boards[name] = editing.create(company.domain, wish, slug=f"{name}-board")
    limits.set_limit(supervisor, ["810"], team)
    callbacks.invalidate_cache(company.domain.pk)
    return floors


def call(
    company: Company, number: str, name: str, queue: str = "", person: str = "", is_over: bool = False,
    is_missed: bool = False,
) -> list[Leg]:  # fmt: skip
    """A caller who waits in the queue, or came through it to the person (`is_over`: the waiting is), or rang direct."""
    head, now = str(uuid4()), timezone.now()
    common = {"domain": company.domain, "from_call_id": head, "from_number": number, "caller_e164": number,
              "from_name": f"{name} caller", "first_seen_at": now, "heard_at": now, "from_state": "active"}  # fmt: skip
    legs = []
    if queue:
        legs.append(Leg(**common, to_call_id=f"{head}-q", to_user=queue, queue=queue, **told(now, is_over)))
    if person:
        legs.append(Leg(**common, to_call_id=f"{head}-p", to_user=person, to_name=name, **told(now, is_missed)))
    for leg in legs:
        leg.version = 1
        leg.save()
    return legs


def told(now: datetime, is_over: bool) -> dict[str, object]:
    if is_over:
        return {"to_state": "ended", "ended_at": now, "ringing_at": now}
    return {"to_state": "active", "active_at": now}
