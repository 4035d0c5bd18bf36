"""The page in parts: one row per question, with its evidence in words."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from zoneinfo import ZoneInfo, available_timezones

from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.models import Domain
from wallboard.calibration import engine, texts
from wallboard.calibration.evidence import Example, Judgement
from wallboard.calibration.models import Finding, Progress
from wallboard.calibration.questions.times import CallZone, offset_text
from wallboard.calls import numbers
from wallboard.calls.models import Leg

STATES = {"proven": "good", "likely": "watch", "contradicted": "late", "unknown": "unknown"}
MEASURED = ("record_delay", "lag")


@dataclass(frozen=True)
class ShownExample:
    """An observation in words, when it was, and who called where a call is behind it."""

    at: datetime
    text: str
    caller: str = ""


@dataclass(frozen=True)
class Row:
    """One question on the page."""

    name: str
    text: texts.QuestionText
    state: str
    label: str
    answer: str
    since: datetime | None
    agreeing: int
    against: int
    missing: str
    overruled: str
    overruled_by: str
    overruled_at: datetime | None
    contradicts_overrule: bool
    choices: list[tuple[str, str]]
    for_examples: list[ShownExample] = field(default_factory=list)
    against_examples: list[ShownExample] = field(default_factory=list)

    @property
    def share(self) -> int:
        """Of a bar 100 wide, how much speaks for the answer."""
        total = self.agreeing + self.against
        return round(100 * self.agreeing / total) if total else 0


def rows(domain: Domain) -> list[Row]:
    """Every question, in the order in which they are tested."""
    stored = {row.question: row for row in Finding.objects.filter(domain=domain)}
    progress = Progress.objects.filter(domain=domain).first()
    taken_at = progress.taken_at.timestamp() if progress and progress.taken_at else 0.0
    judged = {name: _judged(stored.get(name), taken_at) for name in engine.BY_NAME}
    callers = _callers(domain, judged.values())
    return [_row(name, stored.get(name) or Finding(question=name), judged[name], callers) for name in judged]


def _judged(row: Finding | None, now: float) -> Judgement:
    if row is None or not row.state:
        return Judgement()
    try:
        return engine.decoded_question(row.question, row.state).judged(now)
    except ValueError:
        return Judgement()


def _callers(domain: Domain, judgements: Iterable[Judgement]) -> Mapping[tuple[str, str], str]:
    """The callers of the calls in all examples, as this company writes numbers."""
    pairs = {
        example.leg for each in judgements for example in (*each.for_examples, *each.against_examples) if example.leg
    }
    condition = Q(pk=None)
    for head, tail in pairs:
        condition |= Q(from_call_id=head, to_call_id=tail)
    found = Leg.objects.filter(condition, domain=domain).only("from_call_id", "to_call_id", "from_number")
    return {(leg.from_call_id, leg.to_call_id): numbers.masked(leg.from_number) for leg in found}


def _row(name: str, row: Finding, judged: Judgement, callers: Mapping[tuple[str, str], str]) -> Row:
    contradicts = bool(row.overruled) and row.verdict == "proven" and row.answer != row.overruled
    return Row(
        name,
        texts.TEXTS[name],
        "watch" if row.overruled else STATES[row.verdict],
        _label(row),
        texts.answer_text(name, row.answer, row.value) if row.answer else "",
        row.since if row.verdict in ("proven", "contradicted") else None,
        judged.agreeing,
        judged.against,
        missing_text(row, judged),
        texts.answer_text(name, row.overruled, None) if row.overruled else "",
        row.overruled_name,
        row.overruled_at,
        contradicts,
        choices(name),
        [_shown(name, each, callers) for each in judged.for_examples],
        [_shown(name, each, callers) for each in judged.against_examples],
    )


def _label(row: Finding) -> str:
    if row.overruled:
        return _("overruled")
    return _("measured") if row.question in MEASURED and row.verdict == "proven" else labels()[row.verdict]


def labels() -> dict[str, str]:
    """The verdicts in words."""
    return {
        "proven": _("proven"),
        "likely": _("likely"),
        "contradicted": _("contradicted"),
        "unknown": _("too little seen"),
    }


def missing_text(row: Finding, judged: Judgement) -> str:
    """What is still missing, and how long that takes at this traffic; "" where nothing is."""
    if row.verdict == "proven" or (row.verdict == "contradicted" and row.overruled):
        return ""
    if row.verdict == "contradicted":
        return _("This was proven and is no longer so. What rests on it is locked until it is proven anew.")
    if not judged.agreeing and not judged.against:
        needs = texts.TEXTS[row.question].missing
        return str(needs) if needs else _("Nothing was seen yet that tells.")
    if row.question == "available_in_call" and not judged.wanted:
        return _("Figures and events have to be at the same time first, which is measured further below.")
    if judged.wanted is None:
        # Where nothing disagrees, all of it agrees with two answers alike.
        is_divided = judged.against > 0
        return _("What was seen does not agree with itself.") if is_divided else _("Nothing was seen yet that tells.")
    if judged.wanted_seconds is None:
        return _("About %(count)d more observations, of different queues or callers.") % {"count": judged.wanted}
    minutes = max(1, round(judged.wanted_seconds / 60))
    values = {"count": judged.wanted, "minutes": minutes}
    if not judged.wanted:
        return _("Enough observations, in too short a time: about %(minutes)d min more.") % values
    return _("About %(count)d more observations: %(minutes)d min at this traffic.") % values


def choices(name: str) -> list[tuple[str, str]]:
    """What an administrator may say instead."""
    if name == CallZone.name:
        return [(offset, f"UTC{offset}") for offset in offsets()]
    return [(answer, str(text)) for answer, text in texts.TEXTS[name].answers.items()]


def offsets() -> list[str]:
    """Every difference from UTC that any zone has, from west to east."""
    now = datetime.now(UTC)
    found = {now.astimezone(ZoneInfo(name)).utcoffset() for name in available_timezones()}
    minutes = sorted(round(each.total_seconds() / 60) for each in found if each is not None)
    return [offset_text(each) for each in minutes]


def _shown(name: str, example: Example, callers: Mapping[tuple[str, str], str]) -> ShownExample:
    caller = callers.get(example.leg, "") if example.leg else ""
    return ShownExample(datetime.fromtimestamp(example.at, UTC), texts.example_text(name, example.values), caller)
