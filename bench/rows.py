"""Legs of calls and minutes of queues in any number, made in the database itself: what bench.reports measures on."""

from argparse import Namespace
from collections.abc import Callable
from contextlib import ExitStack
from datetime import datetime

from bench import bulk

LEGS, QUEUES, DAYS, PEOPLE = 10_000_000, 500, 365, 300
LEGS_OF_CALL = 3  # to the queue, to a phone that rings in vain, to the one that answers
WAIT = "(16 + n * 104729 % 6000 / 100.0)"  # of a caller, in seconds
SERIES = {
    "postgresql": "generate_series(0::bigint, {last}) AS s(n)",
    "sqlite": "(WITH RECURSIVE s(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM s WHERE n < {last}) SELECT n FROM s) AS s",
}
MOMENT = {
    "postgresql": "(timestamptz '{begin}' + ({seconds}) * interval '1 second')",
    "sqlite": "strftime('%Y-%m-%d %H:%M:%S', '{begin}', '+' || CAST({seconds} AS INTEGER) || ' seconds')",
}
# By multiplication with primes instead of chance: the same data every time, in every database.
SAMPLE = """INSERT INTO queues_sample (queue_id, minute, readings, waiting, most_waiting, longest_wait_seconds,
    average_wait_seconds, agents, least_available, watch_seconds, late_seconds, nobody_seconds)
    SELECT {queue}, {minute}, 12, (n * 7919 + {queue}) % 5, (n * 7919 + {queue}) % 5, CASE (n * 7919 + {queue}) % 5
    WHEN 0 THEN 0 ELSE (n * 104729 + {queue}) % 300 END, NULL, 8, 1, 0,
    CASE WHEN (n * 611953 + {queue}) % 20 = 0 THEN 60 ELSE 0 END, 0 FROM {series}"""
LEG = """INSERT INTO calls_leg (domain_id, from_call_id, to_call_id, by_call_id, on_net, is_human,
    from_state, from_number, from_user, from_domain, from_name, to_state, to_number, to_user, to_domain, to_name,
    started_text, answered_text, ranks, queue, caller_e164, first_seen_at, ringing_at, active_at, ended_at, heard_at,
    is_answered, has_record, is_unconfirmed, version)
    SELECT {domain}, 'call-' || n, 'leg-{place}-' || n, '', {no}, {human},
    'ended', '+4930' || (1000000 + n * 7919 % 300000), '', 'provider.test', '', 'ended', '', {to_user}, 'p.test', '',
    '', '', '1111', {queue}, '+4930' || (1000000 + n * 7919 % 300000), {seen}, {seen}, {active}, {ended}, {ended},
    {answered}, {no}, {no}, 1 FROM {series}"""


def make(options: Namespace, vendor: str, domain_id: int, begin: datetime) -> tuple[int, int]:
    """Fill the database; gives how many samples and legs."""
    from django.db import connection

    from wallboard.queues.models import Queue

    count = max(10, round(QUEUES * options.scale))
    queues = Queue.objects.bulk_create(Queue(domain_id=domain_id, number=str(5000 + n)) for n in range(count))
    # As old as their calls: of a new queue nothing is forecast from days on which it was not known.
    Queue.objects.filter(domain=domain_id).update(first_seen_at=begin)
    minutes, calls = options.days * 1440, round(LEGS * options.scale * options.days / DAYS / LEGS_OF_CALL)
    sample_minutes = min(options.sample_days, options.days) * 1440
    told = f"{begin:%Y-%m-%d %H:%M:%S}" + ("+00" if vendor == "postgresql" else "")

    def moment(seconds: str) -> str:
        return MOMENT[vendor].format(begin=told, seconds=seconds)

    with connection.cursor() as cursor, ExitStack() as stack:
        if vendor == "postgresql":
            for table in ("calls_leg", "queues_sample"):
                stack.enter_context(bulk.without_indexes(cursor, table))
        for queue in queues:
            series = SERIES[vendor].format(last=sample_minutes - 1)
            minute = moment(f"(n + {minutes - sample_minutes}) * 60")  # the last days, where not all have samples
            cursor.execute(SAMPLE.format(queue=queue.pk, minute=minute, series=series).replace("%", "%%"), ())
        for place in range(LEGS_OF_CALL):
            cursor.execute(_leg(place, domain_id, count, calls, minutes * 60, moment, vendor).replace("%", "%%"), ())
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return count * sample_minutes, calls * LEGS_OF_CALL


def _leg(
    place: int, domain_id: int, queues: int, calls: int, seconds: int, moment: Callable[[str], str], vendor: str
) -> str:
    yes, no = ("TRUE", "FALSE") if vendor == "postgresql" else ("1", "0")
    came = f"n * {seconds / calls:.6f}"
    seen, answer = f"{came} + {(0, 4, 15)[place]}", f"{came} + {WAIT}"
    number, person = (
        f"CAST(5000 + n * 31 % {queues} AS TEXT)",
        f"CAST(101 + n * {(0, 37, 53)[place]} % {PEOPLE} AS TEXT)",
    )
    return LEG.format(
        domain=domain_id,
        place=place,
        no=no,
        human=no if place == 0 else yes,
        to_user=person if place else number,
        queue="''" if place else number,
        seen=moment(seen),
        active="NULL" if place == 1 else moment((seen, "", answer)[place]),
        ended=moment((answer, f"{seen} + 10", f"{answer} + 180")[place]),
        answered=no if place == 1 else yes,
        series=SERIES[vendor].format(last=calls - 1),
    )
