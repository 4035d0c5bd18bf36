"""The counts of agents: who is available, and whether the counts add up."""

from typing import ClassVar

from wallboard.calibration.evidence import Rules
from wallboard.calibration.floor_view import FloorView
from wallboard.calibration.observations import Poll
from wallboard.calibration.questions.base import Question
from wallboard.telephony.resources import QueueStats

AGENT_HOUR_SECONDS, MISMATCH_EVERY_SECONDS = 3600.0, 60.0
SETTLED_SECONDS, LONGEST_TALK_SECONDS = 8.0, 1200.0
HELP_SECONDS, VOTE_EVERY_SECONDS, LEAST_TALKING = 300.0, 45.0, 1
EXCLUDED, COUNTED = "excluded", "counted"


class AvailableInCall(Question):
    """Whether people on a call count as available.

    People who talk to callers of a queue are counted from events. Fewer available than those: they do not count. More
    available than all agents without those: they do. Nothing else decides, so breaks and shifts do no harm.
    """

    name: ClassVar[str] = "available_in_call"
    rules: ClassVar[Rules] = Rules(spread_seconds=480)
    needs_queue_legs: ClassVar[bool] = True

    last_at: dict[str, float] = {}

    def polled(self, view: FloorView, poll: Poll) -> None:
        """Look at each queue of which anybody talks to a caller."""
        for number, users in talking(view, poll.at).items():
            queue = view.queues[number]
            available, agents = queue.now.available, queue.now.agents
            if available is None or agents is None or number not in poll.queues or len(users) < LEAST_TALKING:
                continue
            # Whoever helped out goes on talking after they have left the queue again.
            if (
                poll.at - queue.agents_changed_at < HELP_SECONDS
                or poll.at - self.last_at.get(number, 0.0) < VOTE_EVERY_SECONDS
            ):
                continue
            excluded, counted = available < len(users), available > agents - len(users)
            if excluded != counted:
                self.last_at[number] = poll.at
                self.vote(poll.at, {EXCLUDED if excluded else COUNTED}, number, number, len(users), available, agents)


def talking(view: FloorView, now: float) -> dict[str, set[str]]:
    """By queue, who has talked for a while to a caller who came by it and was not handed on."""
    found: dict[str, set[str]] = {}
    for leg in view.legs.values():
        if not leg.is_person or leg.active_at is None or leg.ended_at is not None or leg.by:
            continue
        if not SETTLED_SECONDS <= now - leg.active_at <= LONGEST_TALK_SECONDS:
            continue
        others = list(view.of_caller(leg))
        queue = next((each.queue for each in others if each.queue), "")
        if queue in view.queues and not any(each.is_person and each.active_at for each in others):
            found.setdefault(queue, set()).add(leg.user)
    return found


class AgentsAddUp(Question):
    """Whether available and unavailable people together are all agents.

    Where they are not it shows only while somebody is signed off, so what speaks for it is how long people were
    watched: each hour of one agent without a mismatch. People are expected to sign off or pause about once an hour.
    A mismatch that stays for two polls weighs much more, since hardly anything else makes one.
    """

    name: ClassVar[str] = "agents_add_up"
    rules: ClassVar[Rules] = Rules(
        hit={"adds_up": 0.98, "does_not": 0.66},
        chance={"adds_up": 0.34, "does_not": 0.03},
        spread_seconds=600,
        sources=1,
        # Hours in which nobody signs off do not undo what was seen when somebody did.
        lasting=frozenset({"does_not"}),
    )

    watched_seconds: float = 0.0
    last_at: dict[str, float] = {}

    def polled(self, view: FloorView, poll: Poll) -> None:
        """Add up every queue; a mismatch counts where it stays for two polls, as counts may be taken one by one."""
        for number, stats in poll.queues.items():
            before = view.queues[number].before
            if before is None or None in (stats.agents, stats.available, stats.unavailable):
                continue
            values = (number, stats.available, stats.unavailable, stats.agents)
            self.watched_seconds += (stats.agents or 0) * (poll.at - view.queues[number].before_at)
            if _is_mismatch(stats) and _is_mismatch(before):
                self.watched_seconds = 0.0
                if poll.at - self.last_at.get(number, 0.0) >= MISMATCH_EVERY_SECONDS:
                    self.last_at[number] = poll.at
                    self.vote(poll.at, {"does_not"}, number, *values)
            elif self.watched_seconds >= AGENT_HOUR_SECONDS:
                self.watched_seconds = 0.0
                self.vote(poll.at, {"adds_up"}, number, *values)


def _is_mismatch(stats: QueueStats) -> bool:
    return (stats.available or 0) + (stats.unavailable or 0) != stats.agents
