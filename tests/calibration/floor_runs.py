"""Runs of the simulated floor with one dialect each, watched by calibration."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from wallboard.calibration.engine import Engine
from wallboard.calibration.observations import Heard, Observation, Poll, Recorded
from wallboard.simulator.options import Options
from wallboard.simulator.stream import Item, Stream
from wallboard.telephony import messages, resources
from wallboard.telephony.messages import CallEvent, CallRecords

LOOK_SECONDS = 60.0
CHANGE_SECONDS = 600.0
USUAL = {
    "wait_unit": "s",
    "longest_wait_of": "now",
    "average_wait_of": "now",
    "call_zone": "+00:00",
    "queue_legs": "user",
    "queue_leg_answered": "answered",
    "caller_ids": "shared",
    "unanswered_records": "yes",
    "is_human": "both",
    "available_in_call": "excluded",
    "agents_add_up": "adds_up",
    "lag": "together",
    "missing_events": "few",
}


@dataclass(frozen=True)
class Case:
    """A dialect, the answers that are right in it, and those that have to be found."""

    dialect: Mapping[str, object]
    right: dict[str, str | None] = field(default_factory=dict)  # None: there is no right answer
    found: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The switches in one word."""
        return "+".join(f"{name}={value}" for name, value in self.dialect.items()) or "as it is"

    @property
    def answers(self) -> dict[str, str | None]:
        """Every right answer."""
        return USUAL | self.right

    @property
    def expected(self) -> tuple[str, ...]:
        """The questions whose answer has to be found."""
        return self.found or tuple(self.right)


@dataclass
class Outcome:
    """What a run led to: minutes until each right answer was proven, and what was proven wrongly."""

    proven_after: dict[str, float] = field(default_factory=dict)
    wrong: set[str] = field(default_factory=set)
    engine: Engine | None = None


NO_QUEUE_LEGS = {"queue_legs": "hidden", "queue_leg_answered": None, "lag": None}
CASES = (
    Case({}, found=tuple(USUAL)),
    Case({"wait_unit": "ms"}, {"wait_unit": "ms"}),
    Case({"wait_unit": "min"}, {"wait_unit": "min"}),
    Case({"max_wait_of": "period"}, {"longest_wait_of": "period"}, ("longest_wait_of", "wait_unit")),
    Case({"max_wait_of": "day"}, {"longest_wait_of": "period"}, ("longest_wait_of", "wait_unit")),
    Case({"avg_wait_of": "period"}, {"average_wait_of": "period"}),
    Case({"avg_wait_of": "day"}, {"average_wait_of": "period"}),
    Case({"call_time_zone": "Europe/Berlin"}, {"call_zone": "+01:00"}),
    Case({"call_time_zone": "Asia/Kathmandu"}, {"call_zone": "+05:45"}),
    Case({"call_time_zone": "America/Los_Angeles"}, {"call_zone": "-08:00"}),
    Case({"queue_legs": "user_only"}, {"queue_legs": "user"}),
    Case({"queue_legs": "id"}, {"queue_legs": "id"}),
    Case({"queue_legs": "address"}, {"queue_legs": "address"}),
    Case({"queue_legs": "hidden"}, {**NO_QUEUE_LEGS, "is_human": None}, ("queue_legs", "wait_unit")),
    Case({"queue_leg_state": "ringing"}, {"queue_leg_answered": "not_answered"}),
    Case({"queue_leg_state": "progressing"}, {"queue_leg_answered": "not_answered"}),
    Case({"caller_call_id": "per_leg"}, {"caller_ids": "per_leg"}),
    Case({"unanswered_records": False}, {"unanswered_records": "no"}),
    Case({"is_human": "false_for_voicemail"}, {"is_human": "voicemail"}),
    Case({"is_human": "false_for_queues"}, {"is_human": "queues"}),
    Case({"is_human": "always_true"}, {"is_human": "nothing"}),
    Case({"is_human": "missing"}, {"is_human": "missing"}),
    Case({"available_agents": "signed_in"}, {"available_in_call": "counted"}),
    Case({"available_agents": "idle"}, {"available_in_call": "excluded"}),
    Case({"signed_off_agents": "uncounted"}, {"agents_add_up": "does_not"}),
    Case({"signed_off_agents": "excluded"}, {"agents_add_up": "adds_up"}),
    Case({"statistics_lag_seconds": 60}, {"lag": "figures_late"}),
    Case({"event_lag_seconds": 30}, {"lag": "events_late"}),
    Case({"event_loss_share": 0.05}, {"missing_events": "some"}),
    Case({"event_loss_share": 0.3}, {"missing_events": "some"}),
    # Nothing to be found with these, and nothing to be wrong about either.
    Case({"records": "never"}, {"unanswered_records": "no_records"}, ("wait_unit",)),
    Case({"record_jitter_seconds": 1800}, {}, ("wait_unit",)),
    Case({"record_batch_size": 40}, {}, ("wait_unit",)),
    Case({"statistics_lag_seconds": 600}, {"lag": "figures_late"}, ("call_zone",)),
    Case({"event_lag_seconds": 600}, {"lag": "events_late"}, ("longest_wait_of",)),
    Case({"event_reorder_share": 0.2, "event_duplicate_share": 0.2}, {}, ("wait_unit", "missing_events")),
    Case(
        {"wait_unit": "ms", "max_wait_of": "period", "avg_wait_of": "period"}
        | {"call_time_zone": "Europe/Berlin", "queue_legs": "hidden"},
        {**NO_QUEUE_LEGS, "is_human": None, "wait_unit": "ms", "longest_wait_of": "period"}
        | {"average_wait_of": "period", "call_zone": "+01:00"},
        ("wait_unit", "longest_wait_of", "average_wait_of", "call_zone", "queue_legs"),
    ),
    Case(
        {"wait_unit": "min", "max_wait_of": "period", "queue_legs": "hidden"},
        {**NO_QUEUE_LEGS, "wait_unit": "min"} | {"longest_wait_of": "period", "is_human": None},
        ("queue_legs",),
    ),
    Case(
        {"wait_unit": "min", "statistics_lag_seconds": 120}, {"wait_unit": "min", "lag": "figures_late"}, ("call_zone",)
    ),
)


def observations(stream: Stream, items: Iterator[Item]) -> Iterator[Observation]:
    """What a client of this provider would see."""
    for item in items:
        at = stream.moment(item).timestamp()
        body = json.dumps(item.payload).encode()
        if item.kind == "statistics":
            yield Poll(at, {each.number: each for each in resources.queue_stats(body)})
        else:
            message = messages.read(body)
            if isinstance(message, CallEvent):
                yield Heard(at, message)
            elif isinstance(message, CallRecords):
                yield from (Recorded(at, record) for record in message)


def run(case: Case, seed: int, minutes: float = 30.0, *, queues: int = 6, agents: int = 24) -> Outcome:
    """Watch a floor at the demo's load."""
    options = Options(seed=seed, scenario="demo", dialect=case.dialect, queues=queues, agents=agents)
    stream = Stream(options)
    outcome, engine, looked_at = Outcome(), Engine(), 0.0
    outcome.engine = engine
    for observation in observations(stream, stream.run(minutes * 60)):
        engine.take(observation)
        if stream.seconds - looked_at >= LOOK_SECONDS:
            looked_at = stream.seconds
            _look(case, outcome, engine, observation.at, looked_at / 60)
    _look(case, outcome, engine, stream.starts_at.timestamp() + minutes * 60, minutes)
    return outcome


def _look(case: Case, outcome: Outcome, engine: Engine, now: float, minutes: float) -> None:
    for name, judgement in engine.judgements(now).items():
        if judgement.verdict == "proven" and name in USUAL:
            if judgement.answer == case.answers[name]:
                outcome.proven_after.setdefault(name, minutes)
            else:
                outcome.wrong.add(f"{name}: {judgement.answer}")


def course(
    question: str, seed: int, minutes: float, before: Mapping[str, object], after: Mapping[str, object]
) -> list[str]:
    """The answers and verdicts of one question in turn, over a change of dialect after ten minutes."""
    stream = Stream(Options(seed=seed, scenario="demo", dialect=before))
    engine, found, looked_at = Engine(), [""], 0.0
    for observation in observations(stream, stream.run(minutes * 60)):
        engine.take(observation)
        if looked_at < stream.seconds - LOOK_SECONDS / 4:
            looked_at = stream.seconds
            judged = engine.judgements(observation.at)[question]
            if (said := f"{judged.answer} {judged.verdict}") != found[-1]:
                found.append(said)
        if stream.seconds >= CHANGE_SECONDS:
            for name, value in after.items():
                setattr(stream.dialect, name, value)
    return found[1:]
