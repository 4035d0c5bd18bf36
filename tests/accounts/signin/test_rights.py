"""Changes of rights are read once by every reader, whatever the order in which they were committed."""

from datetime import timedelta

import pytest
from django.db.models.functions import Now

from accounts.signin import rights
from accounts.signin.rights import RightsChange, RightsReader

pytestmark = pytest.mark.django_db


def test_each_reader_reads_each_change_once() -> None:
    one, two = RightsReader(), RightsReader()
    assert one.new_changes() == []

    rights.changed(user_id=7)
    assert [change.user_id for change in one.new_changes()] == [7]
    rights.changed(domain_id=3, limited_only=True)

    assert [(change.domain_id, change.limited_only) for change in one.new_changes()] == [(3, True)]
    assert one.new_changes() == []
    assert len(two.new_changes()) == 2


def test_a_change_that_is_committed_after_a_later_one_is_read_too() -> None:
    reader = RightsReader()
    rights.changed(screen_id=1)
    reader.new_changes()

    RightsChange.objects.create(pk=RightsChange.objects.get().pk - 1, screen_id=2, at=Now() - timedelta(seconds=5))

    assert [change.screen_id for change in reader.new_changes()] == [2]


def test_old_changes_are_forgotten() -> None:
    RightsChange.objects.create(user_id=1, at=Now() - timedelta(hours=1))

    rights.changed(user_id=2)

    assert [change.user_id for change in RightsChange.objects.all()] == [2]
