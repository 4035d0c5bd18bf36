"""Who is calling, found among a million contacts, and a file of 100,000 contacts on its way in. On PostgreSQL.

A lookup is what the card asks, from Python and back, every time for another number. The import is the whole run of the
background task: reading every line and keeping all of them in one transaction.
Run: `python -m bench.contacts [--contacts 1000000] [--lines 100000]`; exit status 1 where a goal is missed.
"""

import os
import random
import sys
import time
from statistics import quantiles

from bench import results
from bench.machine import Watch
from tests.harness import environment, postgres  # noqa: F401

LOOKUPS = 2000
LOOKUP_GOAL_MS, IMPORT_GOAL_SECONDS = 10, 60
PEOPLE = """INSERT INTO desk_contact (domain_id, name, company, email, changed_at)
    SELECT %s, 'Person ' || n, 'Company ' || n %% 5000, '', now() FROM generate_series(1, %s) n"""
NUMBERS = """INSERT INTO desk_contactnumber (domain_id, contact_id, number)
    SELECT domain_id, id, '+4930' || (10000000 + row_number() OVER (ORDER BY id)) FROM desk_contact"""


def lookups(domain_id: int, contacts_kept: int) -> results.Line:
    """The slowest of a hundred lookups, in milliseconds."""
    from wallboard.desk import contacts

    took, watch, draw = [], Watch(), random.Random(7)
    for number in [draw.randint(1, contacts_kept) for _each in range(LOOKUPS)]:
        began = time.perf_counter()
        found = contacts.find(domain_id, f"+4930{10_000_000 + number}")
        took.append(1000 * (time.perf_counter() - began))
        assert len(found) == 1
    what = f"contact among {contacts_kept:,}, 99 of 100 lookups within"
    return results.bounded(what, quantiles(took, n=100)[98], "ms", at_most=LOOKUP_GOAL_MS, foreign=watch.foreign())


def imported(domain_id: int, lines: int) -> results.Line:
    """How long a file of so many lines takes, in seconds."""
    from accounts.models import Domain
    from wallboard.desk import importing
    from wallboard.desk.models import Import

    rows = "".join(f"Given {n},Family {n},Firm {n % 900},0171 {1_000_000 + n}\n" for n in range(lines))
    watch, began = Watch(), time.perf_counter()
    text = f"First name,Last name,Company,Phone\n{rows}".encode()
    file = importing.begin(Domain.objects.get(pk=domain_id), None, "bench.csv", text)
    importing.queue(file, skips_bad=False)
    importing.run(file.pk)
    took = time.perf_counter() - began
    assert Import.objects.get().added == lines
    what = f"import of {lines:,} contacts"
    return results.bounded(what, took, "s", at_most=IMPORT_GOAL_SECONDS, foreign=watch.foreign())


def measure(contacts_kept: int, lines: int) -> list[results.Line]:
    """Both figures, in the database that the environment names."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "wallboard.settings")
    django.setup()
    from django.core.management import call_command
    from django.db import connection, connections

    from accounts.models import Domain

    call_command("migrate", verbosity=0)
    domain = Domain.objects.create(
        slug="bench", name="bench", base_url="http://provider.test", client_id="c", client_secret="s", country="DE"
    )
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        cursor.execute(PEOPLE, [domain.pk, contacts_kept])
        cursor.execute(NUMBERS)
        cursor.execute("ANALYZE desk_contact, desk_contactnumber")
    try:
        return [lookups(domain.pk, contacts_kept), imported(domain.pk, lines)]
    finally:
        connections.close_all()
        connection.close_pool()  # type: ignore[attr-defined]  # of PostgreSQL's connection only


def main() -> int:
    parser = results.parser(__doc__)
    parser.add_argument("--contacts", type=int, default=1_000_000)
    parser.add_argument("--lines", type=int, default=100_000)
    options = parser.parse_args()
    if options.quick:
        options.contacts, options.lines = 20_000, 2000
    programs = postgres.programs()
    if programs is None:
        sys.exit("No PostgreSQL on this machine.")
    with postgres.running_postgres(programs) as url:
        os.environ["DATABASE_URL"] = url
        return results.tell(measure(options.contacts, options.lines))


if __name__ == "__main__":
    sys.exit(main())
