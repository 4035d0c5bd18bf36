"""Whom a person wants to see first: a list of one's own."""

from accounts.models import Person
from wallboard.calls.models import Favourite

# The list travels in the page; nobody sees so many first.
MOST = 500


class TooManyFavourites(Exception):
    """Nobody sees so many first."""


def of(owner_id: int) -> list[str]:
    """The extensions of this person's favourites."""
    return list(Favourite.objects.filter(owner_id=owner_id).order_by("pk").values_list("person__extension", flat=True))


def set_favourite(owner: Person, person: Person, is_favourite: bool) -> None:
    """Put a colleague on the owner's list, or take them off it; repeating does no harm. Raises TooManyFavourites."""
    own = Favourite.objects.filter(owner=owner)
    if not is_favourite:
        own.filter(person=person).delete()
        return
    if own.count() >= MOST:
        raise TooManyFavourites
    Favourite.objects.get_or_create(domain_id=owner.domain_id, owner=owner, person=person)
