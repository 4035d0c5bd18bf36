"""What is looked at before and after a database is replaced by a backup."""

from django.db import DatabaseError, OperationalError, ProgrammingError
from django.utils.translation import gettext as _

from accounts import encryption
from accounts.models import Domain
from accounts.tokens.key_rotation import sealed_columns
from wallboard.operations import dumps
from wallboard.operations.backups import Description


class Refused(Exception):
    """Restoring would spoil something, or did not give back all; the message says what."""


def refuse_if_used(*, is_replaced: bool) -> None:
    """Raise Refused where others work with the database, or where it holds a company and nobody said to replace it."""
    if not is_replaced and _has_company():
        raise Refused(
            _("The database holds a company already. To replace all of it, say --replace; back it up before.")
        )
    if dumps.in_use():
        raise Refused(_("Other processes have the database open. Stop web, worker and beat first."))


def _has_company() -> bool:
    try:
        return Domain.objects.exists()
    except (OperationalError, ProgrammingError):
        return False  # never migrated
    except DatabaseError:
        return True  # damaged: only whoever says so gives up what may be left in it


def compare(description: Description) -> None:
    """Raise Refused where a table has other rows than the backup says."""
    found = dumps.rows()
    if differing := [table for table, count in description.tables.items() if found.get(table) != count]:
        table = differing[0]
        raise Refused(
            _(
                "Not all of it came back: %(table)s has %(count)s rows of %(expected)s. Do not work with it; "
                "take another backup."
            )
            % {"table": table, "count": found.get(table, 0), "expected": description.tables[table]}
        )


def open_secrets() -> int:
    """How many sealed values open under TOKEN_KEYS; raises Refused at one that does not."""
    count = 0
    for model, column in sealed_columns():
        for value in model._default_manager.exclude(**{column: ""}).values_list(column, flat=True).iterator():
            try:
                encryption.unseal(str(value or ""))
            except encryption.WrongKey as error:
                where = f"{model._meta.verbose_name}, {column}"
                raise Refused(
                    _("A secret does not open (%(where)s): TOKEN_KEYS lacks its key. Add that key.") % {"where": where}
                ) from error
            count += 1
    return count
