"""News that may never have been told: committed by somebody who lost the answer, or died before telling."""

from collections.abc import Iterable

from accounts.models import Domain
from accounts.statements import bulk_rows
from wallboard.calls import leg_store
from wallboard.calls.leg_store import Changes, Pair
from wallboard.calls.models import Leg, Presence


def as_they_stand(domain: Domain, pairs: Iterable[Pair]) -> Changes:
    """The calls of these legs and everyone on them, as the database has them now.

    Safe to tell again: feeds take only what is newer than what they hold.
    """
    rows = bulk_rows.select(Leg, *leg_store.legs_of(domain.pk, pairs))
    extensions = {end for leg in rows for end in (leg.from_user, leg.to_user)} - {""}
    of_them = Presence.objects.filter(person__domain=domain, person__extension__in=extensions)
    presences = {row.person.extension: row for row in of_them.select_related("person", "leg")}
    return Changes({leg.pk: leg for leg in rows}, presences=presences, is_health=True, domain=domain)
