"""What a figure rests on, and why it must not be shown where that is not certain."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from django.utils.translation import gettext as _

from accounts.languages.lists import listed
from wallboard.calibration import findings, texts
from wallboard.calibration.figure_words import is_against
from wallboard.calibration.findings import Standing

Span = tuple[datetime, datetime]  # from, until
FIRST, LAST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
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
    """Whether a figure can be shown, what that rests on, and the answers it needs to be calculated.

    `gaps` are the times from, until in which something of that was contradicted or another answer held: what was
    counted then must not count. Before anything was proven it is taken to have been as it was proven first.
    """

    locks: list[Lock]
    answers: dict[str, str]
    overruled: list[str]
    gaps: list[Span] = field(default_factory=list)

    @property
    def is_firm(self) -> bool:
        """Whether everything is certain."""
        return not self.locks


def ground(domain_id: int, needs: Needs) -> Ground:
    """Look at everything that a figure needs."""
    return grounds([domain_id], needs)[domain_id]


def grounds(domain_ids: Collection[int], needs: Needs) -> dict[int, Ground]:
    """The same of many companies, in one query."""
    return {pk: _ground(standings, needs) for pk, standings in findings.standings_of(domain_ids).items()}


def _ground(standings: Mapping[str, Standing], needs: Needs) -> Ground:
    locks, overruled = [], []
    gaps: list[Span] = []
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
        else:
            gaps += _gaps(standing, good or {standing.answer})
    return Ground(locks, {name: standings[name].answer for name in needs}, overruled, _joined(gaps))


def against(domain_id: int, assumes: Needs) -> list[Lock]:
    """What speaks against something that a figure assumes: it must not be shown then. Nothing while it is undecided."""
    standings = findings.standings(domain_id)
    return [_lock(standings[question]) for question, good in assumes.items() if is_against(standings[question], good)]


def _lock(standing: Standing) -> Lock:
    question = standing.question
    title = str(texts.TEXTS[question].title)
    if standing.is_lost:
        return Lock(title, _("was proven and is no longer so"), question, "contradicted")
    return Lock(title, texts.answer_text(question, standing.answer, None), question, "other")


def _gaps(standing: Standing, good: Collection[str]) -> Iterator[Span]:
    """When none of these answers held."""
    until = FIRST
    for place, run in enumerate(standing.runs):
        if run.answer in good:
            since = datetime.fromtimestamp(run.since, UTC) if place else FIRST
            if since > until:
                yield until, since
            until = LAST if run.until is None else datetime.fromtimestamp(run.until, UTC)


def _joined(spans: Iterable[Span]) -> list[Span]:
    """The same times without overlaps, in order."""
    joined: list[Span] = []
    for since, until in sorted(spans):
        if joined and since <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(joined[-1][1], until)
        else:
            joined.append((since, until))
    return joined


def contradicted(domain_id: int) -> str:
    """A sentence about what was proven and is no longer so; "" where there is no such thing."""
    standings = findings.standings(domain_id).values()
    titles = [str(texts.TEXTS[each.question].title) for each in standings if each.is_lost]
    text = _("This was proven and is no longer so: %(titles)s. What rests on it is locked until it is proven anew.")
    return text % {"titles": listed(titles)} if titles else ""
