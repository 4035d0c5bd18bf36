"""Which calls a person's desk may ask about: their own, while they live and for some days after."""

from datetime import timedelta

from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.access import Viewer
from wallboard.calls.legs import IS_SENT_ON, MAY_BE_HUMAN, direction
from wallboard.calls.models import Leg

REACHABLE = timedelta(days=7)  # a note typed before a long weekend still finds its call


def own_legs(viewer: Viewer) -> QuerySet[Leg]:
    """Legs that rang the viewer's own extension in the viewer's own domain; nothing for somebody without an extension.

    A leg answered by a machine (voicemail) is not the person's call, and one that ended long ago is closed.
    """
    if not viewer.extension:
        return Leg.objects.none()
    own = Leg.objects.filter(_is_open(), domain_id=viewer.domain_id, to_user=viewer.extension)
    return own.filter(MAY_BE_HUMAN)


def dialled_legs(viewer: Viewer) -> QuerySet[Leg]:
    """Legs that left the viewer's own extension, in the viewer's own domain; not those into a queue, nor to their own
    voicemail, nor calls of strangers that their phone sent on to a colleague.
    """
    if not viewer.extension:
        return Leg.objects.none()
    own = Leg.objects.filter(_is_open(), domain_id=viewer.domain_id, from_user=viewer.extension, queue="")
    return own.exclude(to_user=viewer.extension).exclude(IS_SENT_ON)


def reachable_legs(viewer: Viewer) -> QuerySet[Leg]:
    """Legs of which the viewer may open the card and keep a note: those that rang them, those they dialled."""
    return own_legs(viewer) | dialled_legs(viewer)


def is_dialled(viewer: Viewer, leg: Leg) -> bool:
    """Whether the viewer made this call, rather than got it."""
    return leg.from_user == viewer.extension and leg.to_user != viewer.extension and direction(leg) != "in"


def _is_open() -> Q:
    return Q(ended_at__isnull=True) | Q(ended_at__gt=timezone.now() - REACHABLE)
