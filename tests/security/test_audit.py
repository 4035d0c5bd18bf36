"""Who changed what and who looked at which caller: kept by whatever way it was done, without secrets, for good."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import audit, domains, people
from accounts.admin import KEPT
from accounts.models import AuditEntry, Domain, ImmutableEntry, Person
from tests.security.asks import asks
from tests.security.company import Company
from wallboard.boards import editing
from wallboard.calls.subscriptions import maintenance
from wallboard.contacts import address_book
from wallboard.contacts.models import Contact
from wallboard.desk.models import Note
from wallboard.matrix import AUDIENCE_OF, AUDIENCES
from wallboard.queues import editing as naming
from wallboard.screens import screens

NOTED = {
    "accounts:add_person": "person added",
    "accounts:link_person": "sign-in linked",
    "accounts:change_person": "person changed",
    "accounts:unlink_person": "sign-in unlinked",
    "boards:remove": "board deleted",
    "boards:draft": "draft changed",
    **dict.fromkeys(("boards:edit", "boards:publish"), "board changed"),
    "boards:discard": "draft discarded",
    "boards:remove_image": "picture deleted",
    "screens:make": "screen made",
    "screens:pair_screen": "screen made",
    "screens:change": "screen switched",
    "screens:revoke": "screen revoked",
    "screens:embeds": "embed link made",
    "screens:revoke_embed": "embed link revoked",
    "setup:callers": "caller records changed",
    "screens:reload": "screen reload",
    "screens:flash": "screen flash",
    "calls:clear": "call cleared",
    "screens:new_rotation": "rotation made",
    "screens:change_rotation": "rotation changed",
    "screens:remove_rotation": "rotation removed",
    "alerts:save_rules": "alert rule changed",
    "alerts:save_kinds": "alert rule changed",
    "alerts:acknowledge": "alert acknowledged",
    "notifications:save_choice": "notifications changed",
    **dict.fromkeys(("notifications:add_mail", "notifications:new_webhook"), "destination added"),
    **dict.fromkeys(("notifications:change", "notifications:change_shared"), "destination removed"),
    "notifications:mute": "alerts muted",
    "notifications:unmute": "alerts unmuted",
    "notifications:new_route": "alert route added",
    "notifications:route": "alert route changed",
    "notifications:change_route": "alert route removed",
    **dict.fromkeys(("notifications:add_company_mail", "notifications:push_subscribe"), "destination added"),
    "notifications:save_server": "mail server changed",
    "notifications:webhook": "destination changed",
    "desk:pop": "caller looked at",
    "contacts:export": "contacts exported",
    **dict.fromkeys(("desk:save_rules", "desk:ignore"), "desk rules changed"),
    "contacts:edit": "contact changed",
    **dict.fromkeys(("contacts:add", "desk:save_contact"), "contact added"),
    "contacts:merge": "contacts merged",
    "contacts:remove": "contact removed",
    "calibration:overrule": "calibration overruled",
    "reports:service_level": "service level changed",
    "reports:mails": "report by mail added",
    "reports:edit_mail": "report by mail changed",
    "reports:change_mail": "report sent now",
    "privacy:privacy": "keeping changed",
    "privacy:number": "number looked for",
    "privacy:export_number": "number exported",
    "privacy:erase_number": "erasing asked for",
    "outgoing:webhooks": "webhook added",
    "carddav:books": "address book added",
    **dict.fromkeys(("outgoing:webhook", "outgoing:act"), "webhook changed"),
    **dict.fromkeys(("carddav:book", "carddav:act"), "address book changed"),
    "teams:limit": "limit changed",
    "teams:teams": "team added",
    "teams:team": "team changed",
    "teams:remove_team": "team removed",
}


def noted() -> list[tuple[str, str, str]]:
    return list(AuditEntry.objects.order_by("pk").values_list("who", "what", "about"))


@pytest.mark.parametrize("name", NOTED)
def test_what_is_done_on_a_page_is_noted_with_who_did_it(name: str, ours: Company) -> None:
    ask, before = asks(ours)[name], AuditEntry.objects.count()

    ask.send(ours.browser("administrator"))

    entries = AuditEntry.objects.order_by("pk")[before:]
    assert {(entry.who, entry.company) for entry in entries} == {("103 alfa administrator", "alfa")}
    assert NOTED[name] in {entry.what for entry in entries}


def test_looking_changes_nothing_and_is_not_noted(ours: Company) -> None:
    client, before = ours.browser("administrator"), noted()
    for name, ask in asks(ours).items():
        if ask.method == "get" and name not in ("accounts:start", "contacts:export", "calls:calls"):
            ask.send(client)

    assert noted() == before


def test_a_refused_request_is_not_noted_as_done(ours: Company) -> None:
    client, before = ours.browser("agent"), noted()
    for name in [each for each in NOTED if "agent" not in AUDIENCES[AUDIENCE_OF[each]]]:
        asks(ours)[name].send(client)

    assert noted() == before


def test_whose_caller_was_looked_at_is_kept_once_a_call(ours: Company) -> None:
    client, ask = ours.browser("agent"), asks(ours, "agent")["desk:pop"]
    ask.send(client)
    ask.send(client)

    assert noted()[-2:].count(("101 alfa agent", "caller looked at", "+4930901820")) == 1


def test_who_did_it_and_for_whom_costs_no_further_reading(ours: Company) -> None:
    client, ask = ours.browser("agent"), asks(ours, "agent")["desk:pop"]

    with CaptureQueriesContext(connection) as asked:
        ask.send(client)

    said = [each["sql"] for each in asked]
    assert len([sql for sql in said if 'FROM "accounts_person"' in sql and '"user_id" IN ' in sql]) == 1
    assert [sql for sql in said if sql.startswith('SELECT "accounts_domain"."slug"')] == []
    assert noted()[-1][:2] == ("101 alfa agent", "caller looked at")


def test_searches_and_exports_of_calls_are_noted(ours: Company) -> None:
    client = ours.browser("supervisor")
    client.get("/calls/", {"q": "+49 30 901820"})
    client.get("/calls/", {"q": "+49 30 901820", "page": "2"})
    client.get("/calls/", {"as": "csv"})

    who = "102 alfa supervisor"
    assert noted()[-2:] == [(who, "calls searched", "+49 30 901820"), (who, "calls exported", "")]


def test_opening_the_list_of_calls_is_noted_once_an_hour(ours: Company) -> None:
    client = ours.browser("supervisor")
    for _ in range(3):
        client.get("/calls/")

    assert noted()[-2:].count(("102 alfa supervisor", "calls opened", "")) == 1


def test_a_changed_contact_is_noted_without_whole_numbers(ours: Company) -> None:
    contact = Contact.objects.get(name="alfa contact")
    address_book.save(ours.domain, address_book.ContactInput("Renamed", numbers=("+49309018299",)), contact)
    address_book.save(ours.domain, address_book.ContactInput("Renamed", numbers=("+49309018399",)), contact)

    last, before = AuditEntry.objects.filter(what="contact changed").order_by("-pk")[:2]
    assert before.changes == {"name": ["alfa contact", "Renamed"], "numbers": ["••• ••37", "••• ••99"]}
    assert last.changes == {"numbers": ["••• ••99", "••• ••99"]}


def test_a_note_that_is_erased_in_the_admin_site_is_noted_without_its_words(ours: Company) -> None:
    note = Note.objects.filter(domain=ours.domain).first()
    assert note is not None
    ours.browser("superuser").post(f"/admin/desk/note/{note.pk}/delete/", {"post": "yes"})

    entry = AuditEntry.objects.get(what="note deleted")
    assert (entry.who, entry.company, "alfa note" in str(entry.about)) == ("alfa-root", "alfa", False)


def test_the_functions_note_what_was_and_what_is(ours: Company) -> None:
    naming.edit(ours.queue, name="Repairs")
    naming.set_targets(ours.domain, ours.queue, {"waiting_late": 4})
    people.change_role(ours.people["agent"], "supervisor")
    editing.update(ours.board, editing.BoardInput("Renamed", notice="alfa notice"))
    screens.set_content(ours.screen, ours.spare)
    maintenance.rotate(ours.domain, "calls")

    changes = [(entry.what, entry.changes) for entry in AuditEntry.objects.order_by("pk")]
    assert ("queue changed", {"name": ["alfa queue", "Repairs"]}) in changes
    assert ("targets changed", {"waiting_late": [9, 4]}) in changes
    assert ("person changed", {"role": ["agent", "supervisor"]}) in changes
    assert ("board changed", {"name": ["alfa board", "Renamed"]}) in changes
    assert ("screen switched", {"shows": ["a-board", "a-spare"]}) in changes
    assert changes[-1] == ("secret address replaced", {})


def test_what_changes_nothing_is_not_noted(ours: Company) -> None:
    before = noted()
    naming.edit(ours.queue, name=ours.queue.name)
    people.rename(ours.people["agent"], ours.people["agent"].name)
    editing.update(ours.board, editing.current_input(ours.board))

    assert noted() == before


def test_secrets_are_noted_as_changed_only(ours: Company) -> None:
    client = ours.browser("superuser")
    zones = ("time_zone", "clock", "day_starts_hour", "country", "wait_unit", "call_time_zone", "longest_call_hours")
    names = ("slug", "name", "base_url", "client_id", "authorize_path", *KEPT, *zones)
    form = {name: getattr(ours.domain, name) for name in names} | {"is_active": "on", "uses_pkce": "on"}
    client.post(
        f"/admin/accounts/domain/{ours.domain.pk}/change/",
        form | {"new_client_secret": "canary-secret", "login_client_id": "login"},
    )

    entry = AuditEntry.objects.get(what="company changed")
    assert (entry.who, entry.changes) == ("alfa-root", {"new_client_secret": [None, audit.MASK]})
    assert "canary" not in str(list(AuditEntry.objects.values_list()))


def test_a_command_is_the_system(db: None, settings: Any) -> None:
    settings.PROVIDER_BASE_URL, settings.PROVIDER_CLIENT_ID = "http://127.0.0.1:1", "id"
    settings.PROVIDER_CLIENT_SECRET = "canary-secret"
    domains.from_environment()
    call_command("person", "101", role="administrator")

    [company, person] = AuditEntry.objects.order_by("pk")
    assert (company.who, company.what) == ("system", "company changed")
    assert company.changes["client_secret"] == ["", audit.MASK]
    assert (person.who, person.changes) == ("system", {"role": ["agent", "administrator"]})


def test_entries_outlive_what_they_are_about(ours: Company) -> None:
    asks(ours)["boards:remove"].send(ours.browser("administrator"))
    Person.objects.all().delete()
    Domain.objects.all().delete()

    entry = AuditEntry.objects.get(what="board deleted")
    assert (entry.company, entry.who, entry.about) == ("alfa", "103 alfa administrator", "a-spare")


def test_entries_are_neither_changed_nor_deleted(ours: Company) -> None:
    audit.log(ours.domain.pk, "tried", "once")
    entry = AuditEntry.objects.get(what="tried")
    for attempt in (entry.save, entry.delete, AuditEntry.objects.all().delete):
        with pytest.raises(ImmutableEntry):
            attempt()
    with pytest.raises(ImmutableEntry):
        AuditEntry.objects.update(who="nobody")


def test_the_admin_site_shows_them_and_offers_no_way_to_touch_them(ours: Company) -> None:
    audit.log(ours.domain.pk, "tried", "to be seen")
    entry, client = AuditEntry.objects.get(what="tried"), ours.browser("superuser")
    page = f"/admin/accounts/auditentry/{entry.pk}"

    assert "to be seen" in client.get("/admin/accounts/auditentry/").content.decode()
    assert client.get(f"{page}/change/").status_code == 200
    refused = [
        client.post("/admin/accounts/auditentry/add/", {"who": "x", "what": "y"}),
        client.post(f"{page}/change/", {"who": "x", "what": "y"}),
        client.post(f"{page}/delete/", {"post": "yes"}),
    ]
    assert {answer.status_code for answer in refused} == {403}
    assert AuditEntry.objects.get(pk=entry.pk).who == "system"


def test_old_entries_go_after_their_time_and_no_others(ours: Company) -> None:
    AuditEntry.objects.create(who="x", what="old", at=timezone.now() - audit.RETENTION - timedelta(days=1))
    audit.log(None, "new", "")

    audit.forget_old()

    kept = set(AuditEntry.objects.values_list("what", flat=True))
    assert ("new" in kept, "old" in kept) == (True, False)


def test_a_change_that_is_undone_leaves_no_entry(ours: Company) -> None:
    with transaction.atomic():
        people.rename(ours.people["agent"], "changed")
        assert AuditEntry.objects.filter(what="person changed").exists()
        transaction.set_rollback(True)

    assert not AuditEntry.objects.filter(what="person changed").exists()


@pytest.mark.parametrize("text", ["\0", "\ud800", "x" * 5000, "‮" * 400])
def test_odd_names_do_not_keep_a_change_from_being_noted(text: str, ours: Company) -> None:
    audit.log(ours.domain.pk, "tried", text, {"name": [text, text]})

    entry = AuditEntry.objects.get(what="tried")
    assert len(entry.about) <= audit.MAX_LENGTH


def test_one_request_does_not_speak_for_another(ours: Company) -> None:
    asks(ours)["accounts:add_person"].send(ours.browser("administrator"))
    naming.edit(ours.queue, name="by a task")

    assert [entry.who for entry in AuditEntry.objects.order_by("-pk")[:2]] == ["system", "103 alfa administrator"]
    assert Client().get("/healthz").status_code == 200
