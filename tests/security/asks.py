"""One sensible request for every address, about the things of one company."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from tests.security.company import CALL, PAGE, Company
from tests.security.notification_asks import of_alerts, of_notifications
from tests.security.operator_asks import of_operators
from tests.security.program_asks import of_programs
from tests.security.setup_asks import of_setup
from wallboard.contacts.models import Contact, Import
from wallboard.matrix import Route, admin_table
from wallboard.queues.forms import queue_forms
from wallboard.queues.models import Queue
from wallboard.queues.queue_table import queues_of
from wallboard.queues.queue_table import stamp as queue_stamp
from wallboard.queues.targets.table import stamp


@dataclass(frozen=True)
class Ask:
    """A request, and the statuses with which somebody is answered who may send it."""

    name: str
    method: str = "get"
    args: tuple[Any, ...] = ()
    data: dict[str, Any] = field(default_factory=dict)
    is_json: bool = False
    good: tuple[int, ...] = (200,)

    def send(self, client: Client) -> Any:
        """Send it from this browser."""
        path = f"/{self.name}" if "/" in self.name or ":" not in self.name else reverse(self.name, args=self.args)
        if self.method == "get":
            return client.get(path, self.data)
        kind = {"content_type": "application/json"} if self.is_json else {}
        return client.post(path, self.data, **kind)  # type: ignore[arg-type]


def was_refused(answer: HttpResponse) -> bool:
    """Whether the visitor was turned away: told no, sent to sign in, or to wait for an extension."""
    to = answer.headers.get("Location", "")
    return answer.status_code in (403, 404) or to.startswith(("/accounts/login/", "/accounts/link/", "/admin/login/"))


def get(*args: Any, good: tuple[int, ...] = (200,), **data: Any) -> Callable[[str], Ask]:
    return lambda name: Ask(name, "get", args, data, good=good)


def post(*args: Any, good: tuple[int, ...] = (302,), is_json: bool = False, **data: Any) -> Callable[[str], Ask]:
    return lambda name: Ask(name, "post", args, data, is_json, good)


RULES = {"pop": "never", "shows_internal": False, "ignored": "", "hide_after_seconds": 0}
Makers = dict[str, Callable[[str], Ask]]


def each(named: dict[str, Any]) -> dict[str, Any]:
    """Fields whose names are no Python names."""
    return named


def _renamed(queues: list[Queue]) -> dict[str, str]:
    first, *others = queue_forms(queues)
    kept = {form.add_prefix("place"): str(form.initial["place"]) for form in (first, *others)}
    return {"stamp": queue_stamp(queues), **kept, first.add_prefix("name"): "changed"}


def asks(company: Company, who: str = "administrator") -> dict[str, Ask]:
    """By the name of the address; `who` decides whose call it is about at the desk."""
    wanted = {"healthz": get(), "metrics": get(), "readyz": get(good=(200, 503)), "favicon.ico": get(good=(302,))}
    wanted["webhooks:hook"] = get("a-wrong-secret", good=(404,))  # tests/calls has the right ones
    wanted |= _of_accounts(company, who) | _of_boards(company) | _of_the_desk(company, who) | _of_contacts(company)
    wanted |= of_programs(company, get, post) | of_operators(company, post) | of_setup(company, get, post)
    wanted |= of_alerts(company, get, post) | _of_screens(company) | of_notifications(company, who, get, post)
    return {name: make(name) for name, make in wanted.items()}


def _of_accounts(company: Company, who: str) -> Makers:
    person = company.people["agent"]
    assert company.waiting is not None
    owner = company.user(who if who in company.people else "agent")
    return {
        "accounts:account": get(),
        "accounts:login": get(good=(200, 302)),
        "accounts:password": get(),
        "accounts:passkey": post(good=(400,)),  # tests/accounts/signin/test_passkeys.py has the right ones
        "accounts:passkey_options": post(good=(200,)),
        "accounts:add_passkey": post(),
        "accounts:add_passkey_options": post(good=(200,)),
        "accounts:change_passkey": post(owner.passkeys.get().pk, act="rename", name="changed"),
        "accounts:confirm": get(),
        "accounts:choose_language": post(language="en"),
        "companies:sign_in": get(company.domain.slug, good=(200, 302)),
        "accounts:start": get(domain=company.domain.slug, good=(302,)),
        "accounts:callback": get(state="x", code="y", good=(400,)),
        "accounts:company_callback": get("0123456789abcdef", state="x", code="y", good=(400,)),
        "accounts:link": get(good=(200, 302)),
        "accounts:link_state": get(),
        "accounts/link/number/": post(),
        "accounts:logout": post(),
        "accounts:logout_everywhere": post(),
        "accounts:people": get(),
        "accounts:add_person": post(extension="199", name="new"),
        "accounts:link_person": post(user=company.waiting.pk, extension="198"),
        "accounts:change_person": post(person.pk, name="changed", role="supervisor"),
        "accounts:unlink_person": post(person.pk),
        "teams:limit": post(person.pk, queues=["800"], team=company.team.pk),
        "teams:teams": post(name="new", people=["101"]),
        "teams:team": post(company.team.pk, name="changed", people=["102"]),
        "teams:remove_team": post(company.team.pk),
    }


def rotation(board: int) -> dict[str, Any]:
    """What the form of a rotation sends."""
    empty = {f"step{place}-seconds": 30 for place in range(1, 12)}
    return {"name": "changed", "step0-board": board, "step0-seconds": 20, **empty}


def _of_boards(company: Company) -> Makers:
    slug = company.board.slug
    return {
        "boards:home": get(good=(200, 302)),
        "boards:list": get(good=(200, 302)),
        "boards:new": get(),
        "boards:board": get(slug),
        "boards:queue": get("800", good=(302,)),
        "boards:edit": post(slug, name="changed", theme="dark", sections="queues", every_queue="1"),
        "boards:remove": post(company.spare.slug),
        "boards:draft": post(slug, is_json=True, good=(200,), **company.draft()),
        "boards:publish": post(company.drafted.slug, is_json=True, good=(200,), version=1),
        "boards:discard": post(company.drafted.slug, is_json=True, good=(200,), version=1),
        "boards:figures": post(slug, is_json=True, good=(200,), layout={"rows": 6, "cards": []}),
        "replay:day": get(slug),
        "replay:frames": get(slug, at=1_795_000_000_000),
        "replay:page": get(slug),
        "replay:of_day": get("2026-11-22", good=(302,)),
        "boards:images": get(),
        "boards:image": get(company.image.pk, company.image.digest),
        "boards:remove_image": post(company.image.pk, good=(200,)),
        "screens:image": get(company.image.pk, company.image.digest),
        "calls:calls": get(),
        "calls:clear": post(company.legs["hanging"].pk),
        "calls:people": get(),
        "queues:targets": post(**each({"act": "save", "default-waiting_late": "5", "stamp": stamp(company.domain)})),
        "queues:queues": post(**each(_renamed(queues_of(company.domain)))),
        "queues:hours": post(day0="8-17"),
        "calls:set_status": post(status="lunch", note="changed"),
        "calls:set_favourite": post(extension="104", is_favourite=True, is_json=True, good=(204,)),
        **dict.fromkeys(("reports:reports", "reports:mine"), get()),
        "forecast:next_hour": get(good=(200, 302)),
        "reports:service_level": post(formula="B", target="30", short="8", act="save"),
        "calibration:calibration": get(),
        "calibration:figures": get(),
        "calibration:overrule": post(question="wait_unit", answer="ms"),
        "privacy:privacy": post(calls=90, notes=30),
        "privacy:number": post(number="+4930901820", good=(200,)),
        "privacy:export_number": post(number="+4930901820", good=(200,)),
        "privacy:erase_number": post(number="+4930901837", sure="1"),
    }


def _of_screens(company: Company) -> Makers:
    board = company.board.pk
    return {
        "screens:screens": get(),
        "screens:make": post(**each({"make-name": "new", "make-board": board})),
        "screens:pair_screen": post(**each({"pair-code": company.code(), "pair-name": "new", "pair-board": board})),
        "screens:change": post(
            company.screen.pk,
            **each({f"s{company.screen.pk}-name": "changed", f"s{company.screen.pk}-board": company.spare.pk}),
        ),
        "screens:revoke": post(company.screen.pk),
        "screens:state": get(),
        "screens:reload": post(company.screen.pk),
        "screens:flash": post(company.screen.pk),
        "screens:new_rotation": post(**rotation(board)),
        "screens:change_rotation": post(company.rotation.pk, **rotation(board)),
        "screens:remove_rotation": post(company.rotation.pk),
        "screens:embeds": post(name="new", shows=board, sites="https://a.example"),
        "screens:revoke_embed": post(company.domain.embeds.get().pk),
        "screens:embed": get(company.embed),
        "screens:embed_image": get(company.embed, company.image.pk, company.image.digest, good=(404,)),
        "screens:embed_picture": get(company.embed, good=(404,)),  # of a whole board there is none
        "screens:tv": get(),
        "screens:alive": post(good=(200,)),
        "screens:enter": get(company.token, good=(302,)),
        "screens:pair": get(),
        "screens:pair_state": get(),
        "screens:worker": get(),
        "screens:waiting": get(),
    }


def _of_the_desk(company: Company, who: str) -> Makers:
    leg = company.legs.get(who) or company.legs["agent"]
    held = {"page": PAGE, "calls": [f"{CALL}-101"]}
    return {
        "desk:desk": get(),
        "desk:pop": post(leg=leg.pk, page=PAGE, is_json=True, good=(200,)),
        "setup:caller_record": post(leg=leg.pk, is_json=True, good=(200,)),
        "desk:renew": post(**held, is_json=True, good=(200,)),
        "desk:release": post(**held, is_json=True, good=(204,)),
        "desk:close": post(**held, is_json=True, good=(204,)),
        "desk:note": post(leg=leg.pk, text="changed", stamp=5, is_json=True, good=(200,)),
        "desk:day": get(),
        "desk:save_contact": post(leg=leg.pk, name="new", is_json=True, good=(200,)),
        "desk:save_rules": post(is_json=True, good=(200,), **RULES),
        "desk:be_quiet": post(is_quiet=True, minutes=30, is_json=True, good=(200,)),
        "desk:ignore": post(leg=leg.pk, is_ignored=True, is_json=True, good=(200,)),
        "desk:set_status": post(status="lunch", back="30", is_json=True, good=(200,)),
        "desk:offers": post(outcomes="changed"),
        "desk:call_backs": get(),
        "desk:change_call_back": post(number="+4930901820", act="take", is_json=True, good=(200,)),
    }


def _of_contacts(company: Company) -> Makers:
    known, other = Contact.objects.filter(domain=company.domain).order_by("pk")[:2]
    begun = Import.objects.get(domain=company.domain)
    written: dict[str, Any] = {"name": "changed", "numbers": "+49309018299"}
    return {
        "contacts:contacts": get(),
        "contacts:add": post(**written),
        "contacts:edit": post(known.pk, **written),
        "contacts:merge": post(known.pk, other=other.pk),
        "contacts:remove": post(known.pk),
        "contacts:export": get(),
        "contacts:import": get(),
        "contacts:import_state": get(begun.pk),
        "contacts:change_columns": post(begun.pk, column=["name", "number"]),
        "contacts:skip_bad_lines": post(begun.pk),
    }


FURTHER = {
    "setup:companies": get(),
    "privacy:privacy": get(),
    "setup:callers": get(),
    "setup:setup": post(time_zone="Europe/Berlin", country="DE"),
    "setup:brand": get(),
    "api:tokens": get(),
    **dict.fromkeys(("outgoing:webhooks", "carddav:books"), get()),
    "configuration:configuration": get(),
    "queues:queues": get(),
    "queues:targets": get(),
    "queues:hours": get(),
    "boards:edit": get(),
    "screens:embeds": get(),
    "boards:new": post(name="changed", theme="dark", sections="queues", every_queue="1"),
    "boards:draft": get(tab="tab12345"),
    "boards:images": post(good=(400,)),
    "calls:calls": get(**each({"as": "csv"})),
    "teams:teams": get(),
    "reports:mails": get(),
    "reports:reports": get(**each({"as": "csv"})),
}

OF_A_COMPANY = ("setup:company", "setup:remove_company")
OF_A_BOARD = ("boards:edit", "boards:draft")
SHEETS: dict[str, list[dict[str, Any]]] = {
    "reports:reports": [{"of": "queues"}, {"of": "people"}, {"of": "calls"}],  # a page with several tables
    **{name: [{}] for name in ("alerts:alerts", "desk:call_backs", "queues:targets", "calls:people")},
}


def further(company: Company) -> list[Ask]:
    """Second ways to ask: forms to look at beside those that are sent, exports beside pages."""
    made = [make(name) for name, make in FURTHER.items()]
    wanted = [(name, sheet, kind) for name, sheets in SHEETS.items() for sheet in sheets for kind in ("csv", "xlsx")]
    made += [get(**each(sheet | {"as": kind}))(name) for name, sheet, kind in wanted]
    made += [Ask(name, args=(company.domain.pk,)) for name in OF_A_COMPANY]
    return [Ask(ask.name, ask.method, (company.board.slug,), ask.data) if ask.name in OF_A_BOARD else ask
            for ask in made]  # fmt: skip


ADMIN = {"admin:view_on_site": ("1", "1"), "admin:app_list": ("accounts",), "admin/(?P<url>.*)$": ()}


def admin_ask(route: Route) -> Ask:
    """A request for an address of the admin site, about an existing row."""
    from django.apps import apps

    if route.name == "admin/(?P<url>.*)$":
        return Ask("admin/nowhere/")
    args: tuple[Any, ...] = ADMIN.get(route.name, ())
    if "<" in route.path and not args:
        row = apps.get_model(admin_table(route.path)).objects.first()
        args = (row.pk if row else 1,)
    if ":" not in route.name:
        return Ask(route.path.replace("<path:object_id>", str(args[0])))
    return Ask(route.name, args=args)
