"""What is said of figures as calibration stands: proven, assumed, contradicted, overruled, and what follows."""

from dataclasses import replace
from itertools import product

import pytest
from django.test import Client

from accounts.models import Person
from tests.desk.conftest import Company
from tests.reports.test_queue_calls import CERTAIN, SignIn
from wallboard.calibration import applying, engine, figure_words, findings
from wallboard.calibration.findings import Standing
from wallboard.figures.registry import FIGURES


def standings(**told: tuple[str, str]) -> dict[str, Standing]:
    """Every question undecided but these: answer and verdict, "overruled" for one that an administrator gave."""
    found = {name: Standing(name) for name in engine.BY_NAME}
    for name, (answer, verdict) in told.items():
        is_overruled = verdict == "overruled"
        found[name] = Standing(name, answer, "unknown" if is_overruled else verdict, is_overruled=is_overruled)
    return found


def test_a_new_companys_wait_is_shown_as_configured_and_says_so() -> None:
    told = figure_words.told(FIGURES["queue.longest"], standings())

    assert (told.kind, told.is_locked) == ("measured", False)
    assert told.notes == ["As configured, not yet proven on your own calls: Unit of the waits, Longest wait: of whom."]


def test_once_proven_it_is_just_measured() -> None:
    proven = standings(wait_unit=("s", "proven"), longest_wait_of=("now", "proven"))

    told = figure_words.told(FIGURES["queue.longest"], proven)

    assert (told.kind, told.notes, told.is_locked) == ("measured", [], False)


VERDICTS = ("unknown", "likely", "proven", "contradicted", "overruled")


@pytest.mark.parametrize("set_to", ["s", "ms"])
@pytest.mark.parametrize(("unit", "of", "answer"), list(product(VERDICTS, VERDICTS, ("now", "period"))))
def test_a_wait_is_locked_where_no_page_shows_it(unit: str, of: str, answer: str, set_to: str) -> None:
    found = standings(wait_unit=("s", unit), longest_wait_of=(answer, of))
    found["wait_unit"] = replace(found["wait_unit"], set_to=set_to)

    told = figure_words.told(FIGURES["queue.longest"], found)

    assert told.is_locked == ("longest" in applying.hidden_waits(found))
    assert (told.kind == "not provable here") == told.is_locked
    assert bool(told.notes) or (unit, of) == ("proven", "proven")


@pytest.mark.parametrize("key", ["queue.longest", "queue.average"])
def test_a_wait_is_locked_where_another_unit_than_is_set_is_likely(key: str) -> None:
    found = standings() | {"wait_unit": Standing("wait_unit", "ms", "likely", set_to="s")}

    told = figure_words.told(FIGURES[key], found)

    assert told.is_locked
    assert told.notes == ["Not provable here, as calibration shows: Unit of the waits, milliseconds."]


def test_what_needs_proof_says_what_would_unlock_it() -> None:
    told = figure_words.told(FIGURES["service.percent"], standings())

    assert told.is_locked
    assert "No number until this is proven on your own calls: Callers in a queue in call events." in told.notes
    assert len(told.notes) == len(CERTAIN)


def test_what_can_never_be_told_here_says_why() -> None:
    found = standings(**{name: (answer, "proven") for name, answer in (CERTAIN | {"queue_legs": "hidden"}).items()})

    told = figure_words.told(FIGURES["service.percent"], found)

    assert told.notes == ["Not provable here, as calibration shows: Callers in a queue in call events, not seen."]


def test_what_an_administrator_said_is_marked() -> None:
    found = standings(**{name: (answer, "overruled") for name, answer in CERTAIN.items()})

    told = figure_words.told(FIGURES["service.percent"], found)

    assert (told.kind, told.is_locked) == ("derived", False)
    assert [note.split(":")[0] for note in told.notes] == ["Set by an administrator, not measured"]


def test_counts_of_calls_are_estimates_where_events_are_missing() -> None:
    found = standings(missing_events=("some", "proven"), caller_ids=("shared", "proven"))
    told = figure_words.told(FIGURES["outside.ended"], found)

    assert (told.kind, told.is_locked) == ("estimated", False)
    assert told.notes == ["An estimate, as calibration shows: Events that never come, some are missing."]


@pytest.mark.parametrize(
    "key", ["outside.ended", "card.answered", "card.unanswered", "sum.unanswered", "persons.missed"]
)
def test_calls_are_not_counted_where_each_leg_has_an_id_of_its_own(key: str) -> None:
    undecided = figure_words.told(FIGURES[key], standings())
    against = figure_words.told(FIGURES[key], standings(caller_ids=("per_leg", "likely")))

    assert (undecided.is_locked, against.is_locked) == (False, True)


def test_missed_calls_on_the_desk_are_an_estimate_where_each_leg_has_an_id_of_its_own() -> None:
    told = figure_words.told(FIGURES["desk.missed"], standings(caller_ids=("per_leg", "likely")))

    assert (told.kind, told.is_locked) == ("estimated", False)
    assert told.notes[0] == "An estimate, as calibration shows: Call id of a caller, another one for each leg."


@pytest.fixture
def supervisor(company: Company, signed_in: SignIn) -> Client:
    company.mia.role = Person.Role.SUPERVISOR
    company.mia.save()
    return signed_in(company.mia)


def test_pages_and_sheets_say_the_same_words(company: Company, supervisor: Client) -> None:
    findings.overrule(company.domain, "longest_wait_of", "period", None)

    told = supervisor.get("/figures/").json()["figures"]["reports.longest"]
    head = supervisor.get("/reports/", {"as": "csv", "of": "queues"}).content.decode().splitlines()[0]

    assert told["is_locked"]
    assert f"longest wait in seconds: not provable here. {told['notes'][0].rstrip('.')}." in head
    assert told["formula"] in head
    plain = supervisor.get("/reports/", {"as": "csv", "of": "queues", "head": "plain"}).content.decode()
    assert plain.splitlines()[0].endswith("longest wait in seconds,minutes measured,highest average wait in seconds")


def test_an_agent_may_read_what_figures_mean(company: Company, signed_in: SignIn) -> None:
    answer = signed_in(company.mia).get("/figures/")

    assert answer.status_code == 200
    assert answer.json()["figures"].keys() == FIGURES.keys()


def test_every_question_of_a_figure_is_looked_up_once(company: Company, django_assert_num_queries: object) -> None:
    with django_assert_num_queries(1):  # type: ignore[operator]
        figure_words.words(company.domain.pk)
