"""Who looked callers up, and what was done in the tables of the admin site, by whatever way."""

from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.contrib.auth.models import Group, Permission
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from accounts.models import AuditEntry, Grant, Lease, User
from tests.security.company import Company
from tests.security.test_audit import noted
from wallboard.contacts.models import Contact


@pytest.mark.parametrize(
    ("table", "what"), [("leg", "leg"), ("record", "record"), ("delivery", "delivery"), ("note", "note")]
)
def test_callers_who_are_looked_up_in_the_admin_site_are_noted(ours: Company, table: str, what: str) -> None:
    app = "desk" if table == "note" else "calls"
    client = ours.browser("superuser")
    row = apps.get_model(app, table).objects.first()

    for _ in range(2):
        client.get(f"/admin/{app}/{table}/", {"q": "+4930901820"})
        client.get(f"/admin/{app}/{table}/{row.pk}/change/")

    who = "alfa-root"
    searched = (who, f"{what} searched in the admin site", "••• ••20")
    assert noted()[-2:] == [searched, (who, f"{what} looked at in the admin site", str(row.pk))]


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("030 / 901 82-0", "••• ••20"),
        ("hanna@customer.example", "•••"),
        ("Hanna Brandt", "Hanna Brandt"),
        ("800", "800"),
    ],
)
def test_a_search_in_the_admin_site_leaves_no_number_and_each_is_noted_once(
    ours: Company, typed: str, kept: str
) -> None:
    client = ours.browser("superuser")
    before = AuditEntry.objects.count()
    for query in (typed, typed, f"{typed} "):
        client.get("/admin/calls/leg/", {"q": query})

    entries = AuditEntry.objects.order_by("pk")[before:]
    assert [entry.about.strip() for entry in entries] == [kept, kept]
    assert kept == typed or typed not in str([entry.once for entry in entries])


def test_numbers_of_earlier_searches_are_masked_by_the_migration(ours: Company) -> None:
    what, once = "leg searched in the admin site", "leg searched in the admin site:1:2026-11-10 12 030 901820"
    old = AuditEntry.objects.create(who="root", what=what, about="030 901820", once=once)
    of_a_company = AuditEntry.objects.create(company_id=1, who="root", what="calls searched", about="030 901820")

    migration = import_module("accounts.migrations.0021_masked_searches")
    then = MigrationLoader(connection).project_state().apps
    for _again in range(2):
        migration.mask(then, SimpleNamespace(connection=connection))

    old.refresh_from_db()
    of_a_company.refresh_from_db()
    assert (old.about, old.once, of_a_company.about) == ("•••", None, "030 901820")


def test_groups_permissions_and_passwords_are_noted(ours: Company) -> None:
    client, permission = ours.browser("superuser"), Permission.objects.get(codename="view_leg")
    client.post("/admin/auth/group/add/", {"name": "lookers", "permissions": [permission.pk]})
    group = Group.objects.get()
    user = User.objects.create_superuser("second", password="before-it-was-this")
    page = f"/admin/accounts/user/{user.pk}"
    dates = {"date_joined_0": "2026-01-01", "date_joined_1": "00:00:00"}
    client.post(f"{page}/change/", {"username": "second", "is_active": "on", "groups": [group.pk], **dates})
    word = "a-long-and-new-password-7"
    client.post(f"{page}/password/", {"usable_password": "true", "password1": word, "password2": word})
    client.post(f"/admin/auth/group/{group.pk}/delete/", {"post": "yes"})

    entries = {entry.what: entry for entry in AuditEntry.objects.all()}
    assert "view leg" in str(entries["group added"].changes["permissions"][1])
    assert entries["account changed"].changes["groups"] == ["", "lookers"]
    assert entries["password changed"].about == "second"
    assert entries["group deleted"].about == "lookers"
    assert word not in str([entry.changes for entry in entries.values()])


def test_deleted_grants_and_leases_are_noted(ours: Company) -> None:
    client, grant, lease = ours.browser("superuser"), Grant.objects.first(), Lease.objects.first()
    assert grant is not None
    assert lease is not None

    client.post(f"/admin/accounts/grant/{grant.pk}/delete/", {"post": "yes"})
    chosen = {"action": "delete_selected", "_selected_action": [lease.pk], "post": "yes"}
    client.post("/admin/accounts/lease/", chosen)

    assert [entry[:2] for entry in noted()[-2:]] == [("alfa-root", "grant deleted"), ("alfa-root", "lease deleted")]
    assert noted()[-2][2] == grant.user.username


def test_agents_who_look_contacts_up_are_noted(ours: Company) -> None:
    client, contact = ours.browser("agent"), Contact.objects.filter(domain=ours.domain).first()
    assert contact is not None
    for _ in range(2):
        client.get("/desk/contacts/", {"q": "alfa"})
        client.get(f"/desk/contacts/{contact.pk}/")

    who = "101 alfa agent"
    assert noted()[-2:] == [(who, "contacts searched", "alfa"), (who, "contact looked at", str(contact))]
