"""An extension goes to somebody new."""

import pytest

from accounts import people
from accounts.models import Domain, Person


@pytest.mark.django_db
def test_a_long_user_name_is_cut_so_that_the_date_has_room(domain: Domain) -> None:
    name = "christopher.montgomery-featherstonehaugh.sales"
    before = people.get_or_create(domain, name)

    people.hand_over(before)

    assert before.extension.startswith("christopher.montgomery-featherstonehau until ")
    assert len(before.extension) == Person._meta.get_field("extension").max_length
