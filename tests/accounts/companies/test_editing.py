"""Companies are added, changed, paused and resumed by one set of functions, which checks and notes it."""

import pytest
from django.core.exceptions import ValidationError

from accounts.companies import editing
from accounts.models import AuditEntry, Domain
from tests.accounts.conftest import make_domain

pytestmark = pytest.mark.django_db


def noted() -> list[str]:
    return list(AuditEntry.objects.order_by("pk").values_list("what", flat=True))


def test_a_company_gets_a_short_name_of_its_own() -> None:
    made = [editing.add(name).slug for name in ("Acme & Sons", "Acme, Sons", "株式会社")]

    assert made == ["acme-sons", "acme-sons-2", "company"]
    assert noted() == ["company added"] * 3


def test_two_companies_have_two_names() -> None:
    first = editing.add("Acme")
    other = editing.add("Other")

    for act in (lambda: editing.add(" ACME ", "acme-2"), lambda: editing.edit(other, "acme", "other", "")):
        with pytest.raises(ValidationError) as refusal:
            act()
        assert refusal.value.messages == ["There is a company of this name already."]
    assert Domain.objects.count() == 2

    editing.edit(first, "Acme", "acme-works", "")
    editing.ask_removal(first, "Acme")
    assert editing.add("Acme").slug == "acme"


@pytest.mark.parametrize(
    "host",
    ["testserver", "https://acme.test", "acme.test/path", "-acme.test", "10.0.0.1", "taken.test", "acme.example.com"],
)
def test_a_host_that_cannot_be_is_refused(host: str) -> None:
    make_domain("other", host="taken.test")

    with pytest.raises(ValidationError) as refusal:
        editing.add("Acme", host=host)
    assert set(refusal.value.message_dict) == {"host"}
    assert Domain.objects.count() == 1


def test_what_is_changed_is_kept_and_noted() -> None:
    domain = make_domain("acme", host="acme.test")

    editing.edit(domain, " Acme ", "acme", "ACME.localhost")
    editing.edit(domain, "Acme", "acme", "")

    domain.refresh_from_db()
    assert (domain.name, domain.slug, domain.host) == ("Acme", "acme", None)
    changes = list(AuditEntry.objects.order_by("pk").values_list("changes", flat=True))
    assert changes == [
        {"name": ["Acme company", "Acme"], "host": ["acme.test", "acme.localhost"]},
        {"host": ["acme.localhost", None]},
    ]


def test_pausing_and_resuming_are_noted_once() -> None:
    domain = make_domain("acme")
    for _ in range(2):
        editing.pause(domain)
    for _ in range(2):
        editing.resume(domain)

    assert noted() == ["company paused", "company resumed"]
    assert Domain.objects.get().is_active


def test_a_removal_needs_the_name_and_frees_the_host_at_once() -> None:
    domain = make_domain("acme", host="acme.test")

    with pytest.raises(editing.NameDiffers):
        editing.ask_removal(domain, "Acme")
    editing.ask_removal(domain, " Acme  company ")
    editing.resume(domain)

    domain.refresh_from_db()
    assert (domain.is_active, domain.host, domain.removal_at is not None) == (False, None, True)
    assert noted() == ["company paused", "company removal asked"]
    editing.add("Next", host="acme.test")
