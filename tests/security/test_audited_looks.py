"""Who looked callers up, and what was done in the tables of the admin site, by whatever way."""

import pytest
from django.apps import apps
from django.contrib.auth.models import Group, Permission

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
    searched = (who, f"{what} searched in the admin site", "+4930901820")
    assert noted()[-2:] == [searched, (who, f"{what} looked at in the admin site", str(row.pk))]


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
