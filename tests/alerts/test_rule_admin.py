"""Rules in the admin site: kept, noted and dropped as the alerts page does it, and no nonsense."""

from typing import Any

from django.test import Client

from accounts.models import AuditEntry, Domain
from wallboard.alerts import rules
from wallboard.alerts.models import Rule
from wallboard.alerts.rules import RuleInput
from wallboard.queues.models import Queue

PATH = "/admin/alerts/rule/"


def written(domain: Domain, queue: Queue | None, level: str = "", stays: str = "", quiet: str = "") -> dict[str, Any]:
    says = {"level": level, "stays_seconds": stays, "cooldown_seconds": quiet}
    return {"domain": domain.pk, "queue": queue.pk if queue else "", **says}


def test_a_rule_is_added_changed_and_dropped(superuser: Client, domain: Domain) -> None:
    queue = Queue.objects.create(domain=domain, number="501")

    for body in (written(domain, queue, "watch"), written(domain, None, stays="20")):
        assert superuser.post(f"{PATH}add/", body).status_code == 302
    rule = Rule.objects.get(queue=queue)
    assert superuser.post(f"{PATH}{rule.pk}/change/", written(domain, queue, "late", "45", "9")).status_code == 302

    assert rules.stored_inputs(domain.pk) == {"501": RuleInput("late", 45, 9), None: RuleInput("", 20, None)}
    noted = AuditEntry.objects.filter(what="alert rule changed").order_by("pk").values_list("about", flat=True)
    assert list(noted) == ["501", "every queue", "501"]
    superuser.post(f"{PATH}{rule.pk}/delete/", {"post": "yes"})
    assert rules.stored_inputs(domain.pk) == {None: RuleInput("", 20, None)}
    assert AuditEntry.objects.filter(what="alert rule changed", about="501").count() == 3


def test_nonsense_is_refused(superuser: Client, domain: Domain) -> None:
    other = Domain.objects.create(slug="other", name="Other", base_url="http://other.test", client_id="x")
    theirs = Queue.objects.create(domain=other, number="901")
    rules.save(domain, {None: RuleInput("watch")})

    for body in (
        written(domain, theirs, "late"),
        written(domain, None),
        written(domain, None, "late"),  # the company has one already
        written(other, theirs, stays="4000"),
    ):
        assert superuser.post(f"{PATH}add/", body).status_code == 200
    assert Rule.objects.count() == 1
