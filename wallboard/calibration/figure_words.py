"""What is said of every figure at a company: its words, and how what it rests on stands with calibration."""

from collections.abc import Mapping, Sequence

import msgspec
from django.utils.translation import gettext as _

from accounts.languages.lists import listed
from wallboard.calibration import findings, texts
from wallboard.calibration.findings import Standing
from wallboard.figures import words as figure_words
from wallboard.figures.figure import Figure, Kind
from wallboard.figures.registry import FIGURES
from wallboard.figures.words import Words

Standings = Mapping[str, Standing]


def words(domain_id: int) -> dict[str, Words]:
    """Every figure, by its key."""
    standings = findings.standings(domain_id)
    return {key: told(figure, standings) for key, figure in FIGURES.items()}


def told(figure: Figure, standings: Standings) -> Words:
    """A figure in words, where the questions stand like this."""
    plain = figure_words.plain(figure)
    locks = [*_unproven(figure, standings), *_against(figure, standings)]
    if locks:
        return msgspec.structs.replace(plain, kind=_("not provable here"), notes=locks, is_locked=True)
    notes, kind = [*_assumed(figure, standings), *_overruled(figure, standings)], plain.kind
    if short := _short(figure, standings):
        notes, kind = [*short, *notes], figure_words.kind_text(Kind.ESTIMATED)
    return msgspec.structs.replace(plain, kind=kind, notes=notes)


def sheet_head(domain_id: int, columns: Mapping[str, str]) -> Sequence[str]:
    """The words of a sheet's figures, for the end of its head."""
    return figure_words.head_cells(columns, words(domain_id))


def texts_of_box() -> dict[str, str]:
    """The texts of the box that tells of figures; {age} and {n} are filled in by the script."""
    return {
        "window": _("Window"),
        "unit": _("Unit"),
        "source": _("From"),
        "age": _("Age"),
        "loaded": _("as this page was loaded, {age} ago"),
        "live": _("live; the page says so where it is old"),
        "seconds": _("{n} s"),
        "minutes": _("{n} min"),
        "hours": _("{n} h"),
    }


def is_against(standing: Standing, good: frozenset[str]) -> bool:
    """Whether something speaks against what a figure assumes: it was contradicted, or another answer is likely.

    Where any answer does (`good` is empty), that is one that the company's setting does not follow yet.
    """
    if standing.is_overruled:
        return bool(good) and standing.answer not in good
    if standing.verdict == "contradicted" or standing.is_set_otherwise:
        return True
    # Likely is enough: a wrong wait calls people who are not needed.
    return bool(good) and standing.verdict in ("proven", "likely") and standing.answer not in good


def _unproven(figure: Figure, standings: Standings) -> list[str]:
    """What it needs and lacks, each with what would unlock it."""
    found = []
    for question, good in figure.needs.items():
        standing, point = standings[question], {"point": _title(question)}
        if not standing.is_certain:
            lost = standing.verdict == "contradicted"
            anew = _("No number until this is proven anew, as it was contradicted: %(point)s.")
            found.append((anew if lost else _("No number until this is proven on your own calls: %(point)s.")) % point)
        elif good and standing.answer not in good:
            found.append(_not_so(question, standing))
    return found


def _against(figure: Figure, standings: Standings) -> list[str]:
    """What it assumes and what is not so."""
    found = []
    for question, good in figure.assumes.items():
        standing = standings[question]
        if is_against(standing, good):
            lost = standing.is_lost
            anew = _("No number until this is proven anew, as it was contradicted: %(point)s.")
            found.append(anew % {"point": _title(question)} if lost else _not_so(question, standing))
    return found


def _not_so(question: str, standing: Standing) -> str:
    answer = texts.answer_text(question, standing.answer, None)
    return _("Not provable here, as calibration shows: %(point)s, %(answer)s.") % {
        "point": _title(question),
        "answer": answer,
    }


def _assumed(figure: Figure, standings: Standings) -> list[str]:
    """What is not proven: what holds as configured, and what only makes the figure better."""
    found = []
    configured = _("As configured, not yet proven on your own calls: %(points)s.")
    for questions, text in ((figure.assumes, configured), (figure.wants, _("Not yet proven: %(points)s."))):
        points = [_title(each) for each in questions if not standings[each].is_certain]
        if points:
            found.append(text % {"points": listed(points)})
    return found


def _overruled(figure: Figure, standings: Standings) -> list[str]:
    """What an administrator said."""
    said = [_title(question) for question in sorted(figure.questions) if standings[question].is_overruled]
    return [_("Set by an administrator, not measured: %(points)s.") % {"points": listed(said)}] if said else []


def _short(figure: Figure, standings: Standings) -> list[str]:
    """What makes an estimate of it: known to be otherwise than it would have to be."""
    text = _("An estimate, as calibration shows: %(point)s, %(answer)s.")
    lost = _("An estimate, as this was proven and is no longer so: %(point)s.")
    found = []
    for question, good in figure.wants.items():
        standing, point = standings[question], _title(question)
        if standing.is_lost:
            found.append(lost % {"point": point})
        elif is_against(standing, good):
            answer = texts.answer_text(question, standing.answer, None)
            found.append(text % {"point": point, "answer": answer})
    return found


def _title(question: str) -> str:
    return str(texts.TEXTS[question].title)
