"""Who may open what: every address, feed and admin table of the site, listed here or refused by a test.

The views decide for themselves (`accounts.access.for_role`, the admin site, the TV's cookie); this table says what they
must decide, `manage.py matrix` prints it, and tests/security holds each line of it for every role and a second company.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

WHO = ("nobody", "unlinked", "agent", "supervisor", "administrator", "screen", "superuser")
EVERYBODY = frozenset(WHO)
AUDIENCES = {
    "everybody": EVERYBODY,
    "holder": EVERYBODY,  # whoever knows the secret in the address; without it there is nothing
    "token": EVERYBODY,  # whoever sends the token of a program (api/tokens.py); all others get 401
    "operator": EVERYBODY,  # whoever asks from this machine itself, or knows OPERATOR_TOKEN
    "signed in": EVERYBODY - {"nobody", "screen"},
    "agent": frozenset({"agent", "supervisor", "administrator"}),
    "supervisor": frozenset({"supervisor", "administrator"}),
    "administrator": frozenset({"administrator"}),
    "screen": frozenset({"screen"}),
    "superuser": frozenset({"superuser"}),  # for /operator/ the first administrator, too: signin/operators.py
}
PAGES = {
    "everybody": """healthz readyz favicon.ico accounts:login accounts:password accounts:passkey
        accounts:passkey_options accounts:start accounts:callback accounts:company_callback accounts:link_state
        accounts:logout accounts:logout_everywhere screens:pair screens:pair_state screens:worker
        screens:waiting admin:login notifications:push_worker api:openapi companies:sign_in""",
    "holder": """setup:brand_style setup:rtl_style setup:first setup:first_passkey webhooks:hook screens:enter
        screens:embed screens:embed_image screens:embed_picture
        setup:arrive notifications:acknowledge
        notifications:confirm""",
    "token": """api:queues api:queue api:samples api:people api:person api:calls api:log api:alerts
        api:report_queues api:report_people api:report_calls api:boards api:board api:contacts api:contact
        api:call_backs api:notes api:configuration api:today api:forecasts api:live api:unknown""",
    "operator": "metrics",
    "signed in": "accounts:account accounts:choose_language accounts:confirm accounts:link accounts/link/number/",
    "agent": """desk:desk desk:pop desk:renew desk:release desk:close desk:note desk:day
        desk:save_contact desk:save_rules desk:be_quiet desk:ignore desk:call_backs desk:change_call_back
        desk:set_status
        contacts:contacts contacts:add contacts:edit
        calls:people setup:manage setup:choose_theme calls:set_status calls:set_favourite
        setup:guides setup:guide setup:guide_picture setup:caller_record
        boards:home boards:list boards:board boards:queue boards:image alerts:sound
        notifications:mine notifications:save_choice notifications:add_mail notifications:change
        notifications:add_chat notifications:push_subscribe notifications:push_key notifications:push_state
        notifications:push_end calibration:figures
        accounts:add_passkey accounts:add_passkey_options accounts:change_passkey
        reports:mine replay:page replay:of_day replay:alert replay:day replay:frames""",
    "supervisor": """queues:targets queues:hours
        contacts:merge contacts:remove contacts:export contacts:import
        contacts:import_state contacts:change_columns contacts:skip_bad_lines
        boards:new boards:edit boards:draft boards:publish boards:discard boards:figures boards:images
        boards:remove_image boards:remove screens:screens screens:make screens:pair_screen
        screens:state screens:reload screens:flash screens:new_rotation screens:change_rotation
        screens:remove_rotation screens:change screens:revoke
        screens:embeds screens:revoke_embed calls:calls calls:clear reports:reports
        reports:mails reports:change_mail reports:edit_mail
        forecast:next_hour alerts:alerts alerts:save_rules alerts:save_kinds alerts:acknowledge
        notifications:mute notifications:unmute""",
    "administrator": """desk:offers setup:brand teams:limit teams:teams teams:team teams:remove_team
        calibration:calibration calibration:overrule reports:service_level
        notifications:manage notifications:new_route notifications:route notifications:change_route
        notifications:add_company_mail notifications:change_shared notifications:save_server
        notifications:test_server notifications:add_company_chat notifications:new_webhook notifications:webhook
        privacy:privacy privacy:number privacy:export_number privacy:erase_number
        setup:start setup:start_step setup:start_events api:tokens api:revoke
        outgoing:webhooks outgoing:webhook outgoing:act
        carddav:books carddav:book carddav:act
        configuration:configuration configuration:download
        queues:queues setup:callers setup:setup setup:poll_now setup:check_now accounts:people accounts:add_person
        accounts:link_person accounts:change_person accounts:unlink_person""",
    "screen": "screens:tv screens:image screens:alive",
    "superuser": """admin:index admin:logout admin:password_change admin:password_change_done admin:autocomplete
        admin:jsi18n admin:view_on_site admin:app_list admin/(?P<url>.*)$
        setup:companies setup:company setup:pause_company setup:resume_company setup:invite_administrator
        setup:remove_company setup:address""",
}
ADMIN_TABLES = frozenset(
    {
        *("alerts.alert", "alerts.rule"),
        *("accounts.auditentry", "accounts.companytoken", "accounts.domain", "accounts.grant", "accounts.lease"),
        *("accounts.person", "accounts.user", "auth.group", "boards.board", "screens.screen", "calls.delivery"),
        "accounts.team",
        *(
            "calls.leg",
            "calls.record",
            "calls.subscription",
            "desk.note",
            "desk.outcome",
            "contacts.link",
            "contacts.linkhost",
            "queues.pollstate",
        ),
        *("queues.queue", "queues.target"),
    }
)
LOOKING = AUDIENCES["agent"] | AUDIENCES["screen"]
FEEDS = {
    "queues": LOOKING,
    "people": LOOKING,
    "calls": AUDIENCES["supervisor"],
    "wall": frozenset({"agent", "screen"}),
    "alerts": LOOKING,
    "desk": AUDIENCES["agent"],  # one's own only
    "board": LOOKING,
}
SHEETS = {
    "desk:call_backs": "supervisor",
    "calls:people": "supervisor",
}  # `?as=csv` and `?as=xlsx`: fewer than the page
AUDIENCE_OF = {name: audience for audience, names in PAGES.items() for name in names.split()}


class Unlisted(Exception):
    """An address that nobody has decided about."""


@dataclass(frozen=True)
class Route:
    """One address and its view; `name` is that of the URL configuration, or the address where it gives none."""

    name: str
    path: str
    view: Any

    @property
    def audience(self) -> str:
        """A key of AUDIENCES. Raises Unlisted."""
        if self.name in AUDIENCE_OF:
            return AUDIENCE_OF[self.name]
        if self.path.startswith("admin/") and admin_table(self.path) in ADMIN_TABLES:
            return "superuser"
        raise Unlisted(f"{self.name} stands in no line of wallboard/matrix.py")


def admin_table(path: str) -> str:
    """The table that an address of the admin site is about: accounts.domain of admin/accounts/domain/add/."""
    return ".".join(path.removeprefix("admin/").split("/")[:2])


def routes() -> list[Route]:
    """Every address that the site answers, in the order in which it tries them."""
    return list(_walk(get_resolver().url_patterns))


def _walk(patterns: Iterable[Any], path: str = "", spaces: str = "") -> Iterator[Route]:
    for pattern in patterns:
        here = path + str(pattern.pattern).removeprefix("^")
        if isinstance(pattern, URLResolver):
            inner = f"{spaces}{pattern.namespace}:" if pattern.namespace else spaces
            yield from _walk(pattern.url_patterns, here, inner)
        elif isinstance(pattern, URLPattern):
            yield Route(f"{spaces}{pattern.name}" if pattern.name else here, here, pattern.callback)


def lines() -> Iterator[tuple[str, ...]]:
    """The table: address, audience, and a mark for each of WHO. Raises Unlisted."""
    yield ("address", "for", *WHO)
    for route in routes():
        yield (f"/{route.path}", route.audience, *_marks(AUDIENCES[route.audience]))
        if sheet := SHEETS.get(route.name):
            yield from ((f"/{route.path}?as={kind}", sheet, *_marks(AUDIENCES[sheet])) for kind in ("csv", "xlsx"))
    yield ("/live/?board=", "agent", *_marks(FEEDS["board"]))
    yield ("/live/?desk=1", "agent", *_marks(FEEDS["desk"]))
    for page in ("boards", "people"):
        yield (f"/live/?{page}=1", "agent", *_marks(AUDIENCES["agent"]))
    for page in ("alerts", "calls"):
        yield (f"/live/?{page}=1", "supervisor", *_marks(AUDIENCES["supervisor"]))
    for feed, who in FEEDS.items():
        yield (f"feed {feed}", "", *_marks(who))


def _marks(who: frozenset[str]) -> list[str]:
    return ["yes" if each in who else "-" for each in WHO]
