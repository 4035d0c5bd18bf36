"""Everything that an operator would look at, the deepest first; what fails to be looked at is a finding itself."""

from collections.abc import Callable, Iterator

from django.utils.translation import gettext as _

from wallboard.operations.doctor import address, companies, database, machine, services
from wallboard.operations.doctor.findings import Finding, trouble

PARTS: tuple[Callable[[], Iterator[Finding]], ...] = (
    machine.python,
    machine.settings_of_production,
    machine.disks,
    database.answers,
    database.migrations,
    database.locks,
    database.last_backup,
    machine.keys,
    services.redis_server,
    services.task_queue,
    services.processes,
    machine.spool,
    machine.static_files,
    address.public_address,
    services.mail,
    companies.every_company,
)


def examine() -> Iterator[Finding]:
    """Look at each part, one finding after the other as they come."""
    for part in PARTS:
        try:
            yield from part()
        except Exception as error:
            title = part.__name__.replace("_", " ").capitalize()
            text = _("It could not be looked at: %(kind)s: %(reason)s") % {
                "kind": type(error).__name__,
                "reason": error,
            }
            yield trouble(title, text, _("Mend what stands above first; if it stays, report it."))
