"""Every figure has all its words, every place that shows one names one that exists, and none is left over."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from tests.test_house import tracked
from wallboard.alerts import sheet as alert_sheet
from wallboard.boards.cards import kinds
from wallboard.calibration import engine, texts
from wallboard.calls.views import calls
from wallboard.desk import callback_sheet
from wallboard.figures.figure import Kind
from wallboard.figures.registry import FIGURES, PARTS
from wallboard.forecast import page as forecast_page
from wallboard.reports import sheets

BASE = Path(settings.BASE_DIR)
SHEETS = {
    **sheets.FIGURES,
    "forecast": forecast_page.FIGURES,
    "alerts": alert_sheet.FIGURES,
    "call-backs": callback_sheet.FIGURES,
    "log": calls.FIGURES,
}
HEAT = {
    f"reports.{name}" for name in ("late", "longest", "average", "most", "nobody")
}  # what the map of a report can show


@pytest.mark.parametrize("key", FIGURES)
def test_a_figure_has_all_its_words(key: str) -> None:
    figure = FIGURES[key]

    assert isinstance(figure.kind, Kind)
    for text in (figure.name, figure.formula, figure.window, figure.unit, figure.source):
        assert str(text).strip()
    assert figure.questions <= set(engine.BY_NAME)
    for question, good in (*figure.needs.items(), *figure.assumes.items(), *figure.wants.items()):
        assert good <= set(texts.TEXTS[question].answers), question


def test_no_key_stands_twice() -> None:
    assert sum(len(part.FIGURES) for part in PARTS) == len(FIGURES)


def in_templates() -> Iterator[str]:
    for path in tracked(".html"):
        for keys in re.findall(r"{% figure ([^%]+) %}", path.read_text()):
            yield from re.findall(r'"([\w.]+)"', keys)


def in_scripts() -> Iterator[str]:
    for path in tracked(".js"):
        if BASE / "static" in path.parents:
            yield from re.findall(r'"((?:queue|board|calls|people)\.[a-z_]+)"', path.read_text())


def of_cards() -> set[str]:
    names = {*kinds.FIGURES, *kinds.KINDS} - set(kinds.WITHOUT_FIGURES)
    totals = re.findall(r'key="(\w+)"', (BASE / "templates/boards/_card_templates.html").read_text())
    return {f"card.{name}" for name in names} | {f"sum.{name}" for name in totals}


def test_every_place_names_a_figure_that_exists_and_every_figure_has_a_place() -> None:
    of_sheets = {key for columns in SHEETS.values() for key in columns.values()}

    used = {*in_templates(), *in_scripts(), *of_cards(), *of_sheets, *HEAT}

    assert used - FIGURES.keys() == set()
    assert FIGURES.keys() - used == set()
