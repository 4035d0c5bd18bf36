"""The page of the alerts: open and past ones of the company, and rules that are kept as they were written."""

import pytest
from django import forms
from django.test import Client
from django.test.html import parse_html

from accounts import limits
from accounts.models import AuditEntry, Domain, Person, User
from tests.alerts.conftest import Read
from wallboard.alerts import rules
from wallboard.alerts.models import Alert
from wallboard.alerts.ruling.widgets import PlainNumber, PlainSelect
from wallboard.queues.models import Queue


def test_past_alerts_tell_how_long_and_who(support: Queue, supervisor: Client, read: Read) -> None:
    for _ in range(9):
        read(q501="late")
    supervisor.post(f"/alerts/{Alert.objects.get().pk}/acknowledge/")
    read(q501="normal")

    page = supervisor.get("/alerts/").content.decode()

    assert "normal again" in page
    assert "Ana" in page
    assert "0:45" in page


def test_rules_are_kept_noted_and_shown(domain: Domain, support: Queue, supervisor: Client) -> None:
    sent = {"all-stays_seconds": "45", f"q{support.pk}-level": "watch", f"q{support.pk}-cooldown_seconds": "0"}

    assert supervisor.post("/alerts/rules/", sent).status_code == 302

    book = rules.rule_set(domain.pk)
    assert (book.default.level, book.default.stays_seconds) == ("late", 45)
    assert book.of("501") == rules.EffectiveRule("watch", 45, 0)
    assert sorted(AuditEntry.objects.values_list("what", "about")) == [
        ("alert rule changed", "501"),
        ("alert rule changed", "every queue"),
    ]
    assert 'value="45"' in supervisor.get("/alerts/").content.decode()


def test_a_company_with_500_queues_can_keep_its_rules(domain: Domain, support: Queue, supervisor: Client) -> None:
    Queue.objects.bulk_create(Queue(domain=domain, number=str(1000 + index)) for index in range(499))
    names = ("level", "stays_seconds", "cooldown_seconds")
    sent = {f"q{pk}-{name}": "" for pk in Queue.objects.values_list("pk", flat=True) for name in names}

    answer = supervisor.post("/alerts/rules/", {**sent, f"q{support.pk}-level": "watch"})

    assert answer.status_code == 302
    assert rules.rule_set(domain.pk).of("501").level == "watch"


@pytest.mark.parametrize("wrong", [{"all-stays_seconds": "-1"}, {"all-stays_seconds": "4000"}, {"all-level": "loud"}])
def test_rules_that_make_no_sense_are_refused(
    domain: Domain, support: Queue, supervisor: Client, wrong: dict[str, str]
) -> None:
    assert supervisor.post("/alerts/rules/", wrong).status_code == 400
    assert rules.rule_set(domain.pk) == rules.RuleSet(rules.DEFAULT_RULE, {})


def test_a_limited_supervisor_sees_and_sets_only_their_queues(
    domain: Domain, support: Queue, sales: Queue, read: Read
) -> None:
    user = User.objects.create(username="ben")
    Person.objects.create(domain=domain, extension="102", name="Ben", role="supervisor", user=user, only_queues=["502"])
    client = Client()
    client.force_login(user)
    for _ in range(9):
        read(q501="late", q502="late")
    theirs, others = Alert.objects.get(queue=sales), Alert.objects.get(queue=support)

    assert client.post(f"/alerts/{others.pk}/acknowledge/").status_code == 404
    assert client.post(f"/alerts/{theirs.pk}/acknowledge/").json()["alert"]["acknowledged_by"] == "Ben"
    read(q501="normal", q502="normal")
    page = client.get("/alerts/").content.decode()
    assert "Sales" in page
    assert "Support" not in page
    client.post("/alerts/rules/", {"all-level": "never", f"q{support.pk}-level": "never"})
    assert rules.rule_set(domain.pk) == rules.RuleSet(rules.DEFAULT_RULE, {})


def test_an_alert_that_has_ended_is_told_as_null(support: Queue, supervisor: Client, read: Read) -> None:
    for _ in range(9):
        read(q501="late")
    read(q501="normal")

    assert supervisor.post(f"/alerts/{Alert.objects.get().pk}/acknowledge/").json() == {"alert": None}


def test_past_alerts_are_a_sheet_as_far_as_they_may_be_seen(
    support: Queue, sales: Queue, supervisor: Client, ana: Person, read: Read
) -> None:
    for _ in range(9):
        read(q501="late", q502="late")
    read(q501="normal", q502="normal")
    limits.set_limit(ana, ["501"], None)

    lines = supervisor.get("/alerts/?as=csv").content.decode("utf-8-sig").splitlines()

    assert lines[0].startswith("queue,name,worst,reason,raised (UTC)")
    assert [line.split(",")[:3] for line in lines[1:]] == [["501", "Support", "late"]]
    assert AuditEntry.objects.filter(what="alerts exported").count() == 1


def test_an_open_alert_stands_in_the_history_too(support: Queue, supervisor: Client, read: Read) -> None:
    for _ in range(9):
        read(q501="late")
    supervisor.post(f"/alerts/{Alert.objects.get().pk}/acknowledge/")

    page = supervisor.get("/alerts/").content.decode()
    read(30, q501="normal")
    after = supervisor.get("/alerts/").content.decode()

    assert '<span class="state state-late">open</span>' in page
    assert "Ana" in page
    assert 'normal again <span class="soft">after 0:' in after
    assert ">open<" not in after


def test_pages_of_those_who_can_act_have_the_advice_of_each_kind(support: Queue, supervisor: Client) -> None:
    page = supervisor.get("/alerts/").content.decode()

    assert "nobody to answer. Ask somebody to sign in to this queue, or send its calls elsewhere." in page


@pytest.mark.parametrize("value", [None, "", 7, "b&<"])
def test_fields_of_rules_are_drawn_as_django_draws_them(value: object) -> None:
    attrs = {"aria-label": 'After, "Sales" & <more>', "id": "id_a", "min": 0}
    choices = [("", "usual: late"), ("b&<", "<b>"), (7, "seven")]

    drawn = PlainNumber().render("a", value, attrs), PlainSelect(choices=choices).render("a", value, attrs)

    usual = forms.NumberInput().render("a", value, attrs), forms.Select(choices=choices).render("a", value, attrs)
    assert [parse_html(each) for each in drawn] == [parse_html(each) for each in usual]
    assert drawn[1].count("selected") == 1
