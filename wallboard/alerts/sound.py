"""Whether alerts sound for a person: one setting for all of their pages, in every browser."""

from accounts.access import Viewer, person_of
from wallboard.alerts.models import Listener


def is_wanted(viewer: Viewer) -> bool:
    """Whether this person switched the sound on."""
    return Listener.objects.filter(person_id=viewer.person_id or 0).exists()


def switch(viewer: Viewer, *, on: bool) -> None:
    """Switch it on or off."""
    person = person_of(viewer)
    if on:
        Listener.objects.get_or_create(person=person)
    else:
        Listener.objects.filter(person=person).delete()
