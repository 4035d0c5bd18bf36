"""What a web process does for deliveries before the first one comes."""

import runpy
from unittest.mock import Mock

import pytest

from wallboard.calls.webhooks import hook_secrets, intake_watch, receive, starting
from wallboard.calls.webhooks.hook_secrets import HookSecrets, HookTarget, hash_of


async def test_a_process_knows_the_secrets_before_it_takes_deliveries(monkeypatch: pytest.MonkeyPatch) -> None:
    """The module as a web process has it: tests have another start()."""
    known, watched, read = HookSecrets(), Mock(), Mock(return_value={hash_of("right"): HookTarget(1, 1)})
    monkeypatch.setattr(hook_secrets, "from_database", read)
    monkeypatch.setattr(receive, "hook_secrets", known)
    monkeypatch.setattr(intake_watch, "start", watched)

    runpy.run_path(starting.__file__)["start"]()

    assert watched.called
    assert read.call_count == 1, "the first delivery waits for a reading"
    assert await known.find("right") == HookTarget(1, 1)
    assert read.call_count == 1
