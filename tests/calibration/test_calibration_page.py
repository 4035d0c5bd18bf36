"""The administrator's page: what is proven and by what, in words, and an answer that somebody gives instead."""

from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import Person
from tests.calibration.test_findings import Recording, watch
from tests.desk.conftest import Company
from wallboard.calibration import engine, texts
from wallboard.calibration.evidence import Judgement
from wallboard.calibration.models import Finding
from wallboard.calibration.page import missing_text
from wallboard.calibration.questions.legs import IsHuman

SignIn = Callable[[Person], Client]


@pytest.fixture
def admin(company: Company, signed_in: SignIn) -> Client:
    company.mia.role = Person.Role.ADMINISTRATOR
    company.mia.save()
    return signed_in(company.mia)


def page(client: Client) -> str:
    return client.get("/setup/calibration/").content.decode()


def test_before_anything_was_seen_every_point_says_so(admin: Client) -> None:
    text = page(admin)

    assert text.count("too little seen") == len(engine.QUESTIONS)
    assert "Nothing was watched yet" in text


def test_each_point_shows_its_verdict_its_counts_and_examples(company: Company, admin: Client) -> None:
    watch(Recording(company.domain), 14, runs=1)

    text = page(admin)

    assert "Unit of the waits" in text
    assert "seconds" in text
    assert text.count('class="state state-good"') > 8
    assert "talking," in text
    assert " for, " in text


def test_what_is_missing_is_told_with_about_how_long_it_takes(company: Company, admin: Client) -> None:
    watch(Recording(company.domain), 3, runs=1)

    assert "at this traffic" in page(admin)


def test_an_answer_is_overruled_by_a_form_marked_and_taken_back(company: Company, admin: Client) -> None:
    watch(Recording(company.domain), 8, runs=1)

    admin.post("/setup/calibration/overrule/", {"question": "wait_unit", "answer": "ms"})
    text = page(admin)
    assert "milliseconds" in text
    assert "Measured is: seconds" in text

    admin.post("/setup/calibration/overrule/", {"question": "wait_unit", "answer": ""})
    assert "Measured is" not in page(admin)


@pytest.mark.parametrize(("question", "answer"), [("nothing", "s"), ("wait_unit", "hours"), ("record_delay", "2/3")])
def test_an_answer_that_there_is_not_is_refused(admin: Client, question: str, answer: str) -> None:
    posted = admin.post("/setup/calibration/overrule/", {"question": question, "answer": answer})

    assert posted.status_code == 400
    assert Finding.objects.count() == 0


def test_every_question_has_its_words_and_every_answer_too() -> None:
    assert texts.TEXTS.keys() == engine.BY_NAME.keys()
    for name, kind in engine.BY_NAME.items():
        assert set(kind.rules.hit) <= set(texts.TEXTS[name].answers)


def test_enough_that_was_seen_too_quickly_asks_for_time_only() -> None:
    row = Finding(question="wait_unit", verdict="likely")
    judged = Judgement(verdict="likely", agreeing=9, wanted=0, wanted_seconds=130.0)

    assert missing_text(row, judged) == "Enough observations, in too short a time: about 2 min more."


@pytest.mark.parametrize(
    ("unmarked", "said"), [(0, "Nothing was seen yet that tells."), (20, "What was seen does not agree with itself.")]
)
def test_what_agrees_with_two_answers_alike_is_no_disagreement(unmarked: int, said: str) -> None:
    question = IsHuman()
    for at in range(42):
        is_marked = at >= unmarked
        question.vote(60.0 * at, {"queues", "both"} if is_marked else {"voicemail", "nothing"}, f"queue {at % 2}")

    judged = question.judged(3600.0)

    assert missing_text(Finding(question="is_human", verdict=judged.verdict), judged) == said
