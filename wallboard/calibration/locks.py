"""What a figure rests on, and why it must not be shown where that is not certain."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from wallboard.calibration import findings, texts

Needs = Mapping[str, frozenset[str]]  # question -> the answers that do; none of them: any answer, if it is certain


@dataclass(frozen=True)
class Lock:
    """One thing that is missing: the point it is about, and what would unlock the figure.

    `state` says the latter for machines: "unproven", "contradicted", or "other" where another answer is certain, with
    which the figure cannot be told at all.
    """

    title: str
    why: str
    question: str
    state: str


@dataclass(frozen=True)
class Ground:
    """Whether a figure can be shown, what that rests on, and the answers it needs to be calculated."""

    locks: list[Lock]
    answers: dict[str, str]
    overruled: list[str]

    @property
    def is_firm(self) -> bool:
        """Whether everything is certain."""
        return not self.locks


def ground(domain_id: int, needs: Needs) -> Ground:
    """Look at everything that a figure needs."""
    standings = findings.standings(domain_id)
    locks, overruled = [], []
    for question, good in needs.items():
        standing, title = standings[question], str(texts.TEXTS[question].title)
        if not standing.is_certain:
            contradicted = standing.verdict == "contradicted"
            why = _("was proven and is no longer so") if contradicted else _("is not proven yet")
            locks.append(Lock(title, why, question, "contradicted" if contradicted else "unproven"))
        elif good and standing.answer not in good:
            answer = texts.answer_text(question, standing.answer, None)
            locks.append(Lock(title, answer, question, "other"))
        elif standing.is_overruled:
            overruled.append(title)
    return Ground(locks, {name: standings[name].answer for name in needs}, overruled)


def contradicted(domain_id: int) -> str:
    """A sentence about what was proven and is no longer so; "" where there is no such thing."""
    standings = findings.standings(domain_id).values()
    titles = [str(texts.TEXTS[each.question].title) for each in standings if each.verdict == "contradicted"]
    text = _("This was proven and is no longer so: %(titles)s. What rests on it is locked until it is proven anew.")
    return text % {"titles": ", ".join(titles)} if titles else ""
