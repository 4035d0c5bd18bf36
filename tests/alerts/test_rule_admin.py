"""Rules in the admin site: kept, noted and dropped as the alerts page does it, and no nonsense."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from accounts.models import AuditEntry, Domain, User
from wallboard.alerts import rules
from wallboard.alerts.models import Rule
from wallboard.alerts.rules import RuleInput
from wallboard.queues.models import Queue

PATH = "/admin/alerts/rule/"


@pytest.fixture
def admin(domain: Domain, settings: Any, tmp_path: Path) -> Client:
    settings.STATIC_ROOT = tmp_path
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": plain}
    client = Client()
    client.force_login(User.objects.create_superuser("root", password="irrelevant-here"))
    return client


def written(domain: Domain, queue: Queue | None, level: str = "", stays: str = "", quiet: str = "") -> dict[str, Any]:
    says = {"level": level, "stays_seconds": stays, "cooldown_seconds": quiet}
    return {"domain": domain.pk, "queue": queue.pk if queue else "", **says}


def test_a_rule_is_added_changed_and_dropped(admin: Client, domain: Domain) -> None:
    queue = Queue.objects.create(domain=domain, number="501")

    for body in (written(domain, queue, "watch"), written(domain, None, stays="20")):
        assert admin.post(f"{PATH}add/", body).status_code == 302
    rule = Rule.objects.get(queue=queue)
    assert admin.post(f"{PATH}{rule.pk}/change/", written(domain, queue, "late", "45", "9")).status_code == 302

    assert rules.stored_inputs(domain.pk) == {"501": RuleInput("late", 45, 9), None: RuleInput("", 20, None)}
    noted = AuditEntry.objects.filter(what="alert rule changed").order_by("pk").values_list("about", flat=True)
    assert list(noted) == ["501", "every queue", "501"]
    admin.post(f"{PATH}{rule.pk}/delete/", {"post": "yes"})
    assert rules.stored_inputs(domain.pk) == {None: RuleInput("", 20, None)}
    assert AuditEntry.objects.filter(what="alert rule changed", about="501").count() == 3


def test_nonsense_is_refused(admin: Client, domain: Domain) -> None:
    other = Domain.objects.create(slug="other", name="Other", base_url="http://other.test", client_id="x")
    theirs = Queue.objects.create(domain=other, number="901")
    rules.save(domain, {None: RuleInput("watch")})

    for body in (
        written(domain, theirs, "late"),
        written(domain, None),
        written(domain, None, "late"),  # the company has one already
        written(other, theirs, stays="4000"),
    ):
        assert admin.post(f"{PATH}add/", body).status_code == 200
    assert Rule.objects.count() == 1
