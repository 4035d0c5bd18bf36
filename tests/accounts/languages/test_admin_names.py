"""The admin site and the audit log in the reader's language; what is stored stays English."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib import admin
from django.test import Client
from django.utils import translation
from django.utils.functional import Promise

from accounts import audit
from accounts.languages import audit_labels
from accounts.models import AuditEntry, Team, User
from tests.harness import pseudo

ROOT = Path(__file__).resolve().parents[3]
LOGS = {"log": 1, "log_changes": 1, "log_form": 0, "audit_look": 0}  # where the code stands among the arguments


def codes(node: ast.expr) -> Iterator[str]:
    """The codes that an argument can be, where they stand there as they are."""
    if isinstance(node, ast.Constant):
        yield str(node.value)
    elif isinstance(node, ast.IfExp):
        yield from codes(node.body)
        yield from codes(node.orelse)


def logged() -> Iterator[str]:
    """The codes of all entries that the program writes."""
    for path in [*(ROOT / "accounts").rglob("*.py"), *(ROOT / "wallboard").rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text())):
            called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            place = LOGS.get(called.rpartition(".")[2])
            if isinstance(node, ast.Call) and place is not None and (place == 0 or called.startswith("audit.")):
                yield from codes(node.args[place])


def test_every_entry_of_the_audit_log_has_a_label() -> None:
    found = set(logged())

    assert found - audit_labels.CODES == set()
    assert len(found) > 90


def test_every_name_in_the_admin_site_is_translated() -> None:
    tables = [model for model in admin.site._registry if model.__module__.startswith(("accounts", "wallboard"))]
    names = {
        str(name)
        for model in tables
        for name in (
            model._meta.verbose_name,
            model._meta.verbose_name_plural,
            model._meta.app_config.verbose_name,
            *(column.verbose_name for column in model._meta.fields),
        )
        if not isinstance(name, Promise)
    }

    assert names == set()
    assert len(tables) > 20


def test_plurals_are_not_the_english_names_with_an_s() -> None:
    with pseudo.speaking_pseudo():
        plurals = {str(model._meta.verbose_name_plural) for model in admin.site._registry if model.__module__ != "auth"}

    assert {name for name in plurals if not (name.startswith("⟦") and name.endswith("⟧"))} <= {"groups"}


@pytest.mark.django_db
def test_the_log_reads_in_another_language_and_stores_codes(client: Client) -> None:
    client.force_login(User.objects.create_superuser("root"))
    audit.log(None, "company paused", "acme")
    audit.log(None, "an older word", "acme")
    with pseudo.speaking_pseudo():
        page = client.get("/admin/accounts/auditentry/").content.decode()
        name = Team._meta.verbose_name_raw

    assert "⟦company paused⟧" in page
    assert "an older word" in page
    assert (name, set(AuditEntry.objects.values_list("what", flat=True))) == (
        "team",
        {"company paused", "an older word"},
    )
    with translation.override("en"):
        assert audit_labels.label("company paused") == "company paused"
