"""The findings of a company: moved on with what is new, overruled by administrators."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from accounts import audit, company_day, leases
from accounts.models import Domain, Person
from wallboard.calibration import applying, engine, feeding
from wallboard.calibration.engine import Engine
from wallboard.calibration.evidence import Judgement, Run
from wallboard.calibration.models import Finding, Progress
from wallboard.calibration.questions.waits import WaitUnit

LEASE_SECONDS = 120.0
MEASURED = ("state", "answer", "verdict", "value", "since", "runs")  # an administrator sets the other columns


@dataclass(frozen=True)
class Standing:
    """What counts for a question: the answer in force, "" where none is, and why it may or may not be relied on.

    `set_to` is, of the unit of the waits, the one that the company is set to, which follows a certain answer.
    """

    question: str
    answer: str = ""
    verdict: str = "unknown"
    since: datetime | None = None
    is_overruled: bool = False
    value: float | None = None
    runs: tuple[Run, ...] = ()
    set_to: str = ""

    @property
    def is_certain(self) -> bool:
        """Whether figures may rest on it."""
        return self.is_overruled or self.verdict == "proven"

    @property
    def is_lost(self) -> bool:
        """Whether it was proven once and then contradicted, and nobody said what counts."""
        return self.verdict == "contradicted" and not self.is_overruled

    @property
    def is_set_otherwise(self) -> bool:
        """Whether another answer than the one that is set is likely, and nobody said what counts."""
        return self.verdict == "likely" and not self.is_overruled and self.set_to not in ("", self.answer)


def standings(domain_id: int) -> dict[str, Standing]:
    """Every question of a company."""
    return standings_of([domain_id])[domain_id]


def standings_of(domain_ids: Collection[int]) -> dict[int, dict[str, Standing]]:
    """Every question of each of these companies, in one query."""
    rows: dict[int, dict[str, Finding]] = {domain_id: {} for domain_id in domain_ids}
    units: dict[int, str] = {}
    found = Finding.objects.filter(domain__in=domain_ids).annotate(unit=F("domain__wait_unit")).defer("state")
    for row in found:
        rows[row.domain_id][row.question], units[row.domain_id] = row, row.unit
    return {
        pk: {name: _standing(name, of.get(name), units.get(pk, "")) for name in engine.BY_NAME}
        for pk, of in rows.items()
    }


def _standing(name: str, row: Finding | None, unit: str) -> Standing:
    if row is None:
        return Standing(name)
    runs = tuple(Run(*each) for each in row.runs or [])
    set_to = unit if name == WaitUnit.name else ""
    if row.overruled:
        return Standing(name, row.overruled, row.verdict, row.overruled_at, True, row.value, runs, set_to)
    return Standing(name, row.answer, row.verdict, row.since, False, row.value, runs, set_to)


def update(domain: Domain) -> None:
    """Take in what is new and store where each question stands then. One at a time; safe to repeat and to break off."""
    lease = leases.acquire(f"calibration:{domain.pk}", LEASE_SECONDS)
    if lease is None:
        return
    with lease:
        progress, _ = Progress.objects.get_or_create(domain=domain)
        now = timezone.now()
        if progress.started_at is None:
            feeding.begin(progress, now)
        observations = feeding.take_new(domain, progress, now)
        if not observations:
            return
        rows = {row.question: row for row in Finding.objects.filter(domain=domain)}
        running = restored(progress, rows)
        running.view.call_time_zone = company_day.zone_named(domain.call_time_zone).key
        for observation in observations:
            running.take(observation)
        progress.view, progress.taken_at = engine.encoded(running.view), now
        # Marks and counters together: what is taken in twice would count twice.
        with transaction.atomic():
            progress.save()
            for name, judgement in running.judgements(observations[-1].at).items():
                _store(domain, rows.get(name) or Finding(domain=domain, question=name), running, judgement)
        applying.apply(domain, standings(domain.pk))


def forget(domain_id: int) -> None:
    """Begin anew with what comes from now on: all that was seen is of a provider that the company has left."""
    progress = Progress(domain_id=domain_id)
    feeding.begin(progress, timezone.now(), look_back=timedelta())
    with transaction.atomic():
        Finding.objects.filter(domain=domain_id).delete()
        Progress.objects.filter(domain=domain_id).delete()
        progress.save()


def restored(progress: Progress, rows: Mapping[str, Finding]) -> Engine:
    """The engine as it was stored; a question that another release stored differently starts anew.

    So do the view and all sources where they may hold digests that an older release made without a key.
    """
    questions = {}
    for name, row in rows.items():
        if name in engine.BY_NAME and row.state:
            try:
                questions[name] = engine.decoded_question(name, row.state)
            except ValueError:
                continue
    try:
        view = engine.decoded_view(progress.view) if progress.view else None
    except ValueError:
        view = None
    if view is None or not view.is_keyed:
        view = None
        for question in questions.values():
            question.tally.forget_sources()
    return Engine(view, questions)


def _store(domain: Domain, row: Finding, running: Engine, judgement: Judgement) -> None:
    before, stored = (row.verdict, row.answer), _stored(row)
    row.state = engine.encoded(running.questions[row.question])
    row.answer, row.verdict, row.value = judgement.answer, judgement.verdict, judgement.value
    row.runs = [[run.answer, run.since, run.until] for run in judgement.runs]
    row.since = None if judgement.since is None else datetime.fromtimestamp(judgement.since, UTC)
    if row.pk and _stored(row) == stored:
        return  # most questions learn nothing from what came
    if row.pk:
        # An administrator may overrule it at the same moment.
        row.save(update_fields=MEASURED)
    else:
        row.save()
    is_decided = judgement.verdict != before[0] and {judgement.verdict, before[0]} & {"proven", "contradicted"}
    if is_decided:
        changes = {"verdict": [before[0], judgement.verdict], "answer": [before[1], judgement.answer]}
        audit.log(domain.pk, "calibration", row.question, changes)


def _stored(row: Finding) -> list[object]:
    return [getattr(row, name) for name in MEASURED]


def overrule(domain: Domain, question: str, answer: str, by: Person | None) -> None:
    """Let this answer count whatever is measured, or with "" what is measured again."""
    row, _ = Finding.objects.get_or_create(domain=domain, question=question)
    before = audit.snapshot(row, "overruled")
    row.overruled, row.overruled_by = answer, by if answer else None
    row.overruled_at, row.overruled_name = (timezone.now(), str(by or "")) if answer else (None, "")
    row.save(update_fields=["overruled", "overruled_by", "overruled_at", "overruled_name"])
    changes = audit.differences(before, audit.snapshot(row, "overruled"))
    audit.log_changes(domain.pk, "calibration overruled", question, changes)
    applying.apply(domain, standings(domain.pk))
