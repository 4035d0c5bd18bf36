"""Who is calling, found by number and by name among a million contacts, and 100,000 on their way in. On PostgreSQL.

A lookup is what the card asks, from Python and back, every time for another number. A search is what the contacts page
asks: the beginnings of a name, a part of a number, a single letter. The import is the whole run of the background task:
reading every line and keeping all of them in one transaction. Floors are the same statements asked again by themselves.
Run: `python -m bench.contacts [--contacts 1000000] [--lines 100000]`; exit status 1 where a goal is missed.
"""

import gc
import os
import random
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from itertools import product
from statistics import quantiles
from typing import Any

from bench import results
from bench.machine import Watch
from tests.harness import environment, postgres  # noqa: F401

LOOKUPS, SEARCHES = 2000, 500
LOOKUP_GOAL_MS, SEARCH_GOAL_MS, IMPORT_GOAL_SECONDS = 2, 50, 60
BEGINNINGS, MIDDLES, ENDS = "Ba Do Fe Gu Ha Jo Ka Li Ma Ne", "n r l s t m", "a e is ov er in ek um"
FIRST = [one + two + three for one, two, three in product(BEGINNINGS.split(), MIDDLES.split(), ENDS.split())]
LAST = [first + last.lower() for first, last in product(FIRST, FIRST[::8])]
FIRMS = LAST[::7]
PEOPLE = """INSERT INTO desk_contact (domain_id, name, company, email, changed_at)
    SELECT %s, (%s::text[])[1 + n %% %s] || ' ' || (%s::text[])[1 + n * 7919 %% %s],
        (%s::text[])[1 + n * 31 %% %s] || ' GmbH', '', now() FROM generate_series(1::bigint, %s) n"""
NUMBERS = """INSERT INTO desk_contactnumber (domain_id, contact_id, number)
    SELECT domain_id, id, '+4930' || (10000000 + row_number() OVER (ORDER BY id)) FROM desk_contact"""
WORDS = """INSERT INTO desk_contactword (domain_id, contact_id, word)
    SELECT domain_id, id, unnest(string_to_array(lower(name || ' ' || company), ' ')) FROM desk_contact
    UNION ALL SELECT domain_id, contact_id, unnest(ARRAY[substr(number, 2), substr(number, 4)])
    FROM desk_contactnumber"""
INDEXES = {
    "contact_by_word": "CREATE INDEX contact_by_word ON desk_contactword (domain_id, word, contact_id)",
    "words_of_contact": "CREATE INDEX words_of_contact ON desk_contactword (contact_id, word)",
}


class Asked:
    """The statements of each piece of work, to be asked again with nothing of ours and of Django's around them."""

    def __init__(self) -> None:
        self._asked: list[list[tuple[str, Any]]] = []

    @contextmanager
    def during(self) -> Iterator[None]:
        """Note what is asked meanwhile."""
        from django.db import connection

        self._asked.append([])

        def note(execute: Any, sql: str, values: Any, many: bool, context: Any) -> Any:
            self._asked[-1].append((sql, values))
            return execute(sql, values, many, context)

        with connection.execute_wrapper(note):
            yield

    def again_p99_ms(self) -> float:
        """The 99th percentile of all that each piece asked, to the last row as the driver hands it over."""
        from django.db import connection

        took = []
        for statements in self._asked:
            began = time.perf_counter()
            for sql, values in statements:
                connection.connection.execute(sql, values, prepare=True).fetchall()
            took.append(1000 * (time.perf_counter() - began))
        return quantiles(took, n=100)[98]


def lookups(domain_id: int, contacts_kept: int) -> results.Line:
    """The slowest of a hundred lookups, in milliseconds."""
    from wallboard.contacts import address_book

    took, watch, draw, asked = [], Watch(), random.Random(7), Asked()
    for number in [draw.randint(1, contacts_kept) for _each in range(LOOKUPS)]:
        with asked.during():
            began = time.perf_counter()
            found = address_book.find_by_caller_id(domain_id, f"+4930{10_000_000 + number}")
            took.append(1000 * (time.perf_counter() - began))
        assert len(found) == 1
    what, floor = f"contact among {contacts_kept:,}, 99 of 100 lookups within", asked.again_p99_ms()
    p99: dict[str, Any] = {"at_most": LOOKUP_GOAL_MS, "floor": floor, "foreign": watch.foreign()}
    return results.bounded(what, quantiles(took, n=100)[98], "ms", **p99)


def searches(domain_id: int, contacts_kept: int) -> results.Line:
    """The slowest of a hundred searches, in milliseconds."""
    from accounts.models import Domain
    from wallboard.contacts import search
    from wallboard.contacts.models import Contact

    domain, draw, took, watch, asked = Domain.objects.get(pk=domain_id), random.Random(7), [], Watch(), Asked()
    first_id = Contact.objects.order_by("pk").values_list("pk", flat=True)[0]
    for number in range(SEARCHES):
        place = draw.randrange(contacts_kept)
        first, last = Contact.objects.get(pk=first_id + place).name.split()
        digits = f"030 {10_000_001 + place}"[:10]
        texts = (last, f"{first[:3]} {last[:4]}", last[:1], first, digits, f"gmbh {last[:3]}")
        text = texts[number % len(texts)]
        with asked.during():
            began = time.perf_counter()
            found = search.search(domain, text)
            took.append(1000 * (time.perf_counter() - began))
        assert found.contacts, text
    what, floor = f"contacts by name among {contacts_kept:,}, 99 of 100 searches within", asked.again_p99_ms()
    p99: dict[str, Any] = {"at_most": SEARCH_GOAL_MS, "floor": floor, "foreign": watch.foreign()}
    return results.bounded(what, quantiles(took, n=100)[98], "ms", **p99)


def imported(domain_id: int, lines: int) -> results.Line:
    """How long a file of so many lines takes, in seconds."""
    from accounts.models import Domain
    from wallboard.contacts import imports
    from wallboard.contacts.models import Import

    rows = "".join(f"Given {n},Family {n},Firm {n % 900},0171 {1_000_000 + n}\n" for n in range(lines))
    watch, began = Watch(), time.perf_counter()
    text = f"First name,Last name,Company,Phone\n{rows}".encode()
    file = imports.create(Domain.objects.get(pk=domain_id), None, "bench.csv", text)
    imports.queue(file, skips_bad=False)
    imports.run(file.pk)
    took = time.perf_counter() - began
    assert Import.objects.get().added == lines
    what = f"import of {lines:,} contacts"
    return results.bounded(what, took, "s", at_most=IMPORT_GOAL_SECONDS, foreign=watch.foreign())


def measure(contacts_kept: int, lines: int) -> list[results.Line]:
    """All figures, in the database that the environment names."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "wallboard.settings")
    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.db import connection, connections

    from accounts.models import Domain

    call_command("migrate", verbosity=0)
    domain = Domain.objects.create(
        slug="bench", name="bench", base_url="http://provider.test", client_id="c", client_secret="s", country="DE"
    )
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        cursor.execute(f"DROP INDEX {', '.join(INDEXES)}")
        cursor.execute(PEOPLE, [domain.pk, FIRST, len(FIRST), LAST, len(LAST), FIRMS, len(FIRMS), contacts_kept])
        cursor.execute(NUMBERS)
        cursor.execute(WORDS)
        for index in INDEXES.values():
            cursor.execute(index)
        # As PostgreSQL does by itself within minutes of an import.
        cursor.execute("VACUUM ANALYZE desk_contact, desk_contactnumber, desk_contactword")
    import_module(settings.ROOT_URLCONF)
    gc.collect()
    gc.freeze()  # as asgi.py does, lest what is loaded be looked through for garbage in the middle of a search
    try:
        return [lookups(domain.pk, contacts_kept), searches(domain.pk, contacts_kept), imported(domain.pk, lines)]
    finally:
        connections.close_all()
        connection.close_pool()  # type: ignore[attr-defined]  # of PostgreSQL's connection only


def main() -> int:
    options = results.options(__doc__, contacts=(1_000_000, 20_000), lines=(100_000, 2000))
    programs = postgres.programs()
    if programs is None:
        sys.exit("No PostgreSQL on this machine.")
    with postgres.running_postgres(programs) as url:
        os.environ["DATABASE_URL"] = url
        return results.tell(measure(options.contacts, options.lines))


if __name__ == "__main__":
    sys.exit(main())
