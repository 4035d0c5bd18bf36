"""The live socket on real servers: the text of a frame, and how a server says goodbye."""

import json
import signal
from pathlib import Path

import pytest

from accounts.models import Domain
from tests.harness.redis import RedisServer
from tests.live.serving import Server, opened, serving, signed_in
from wallboard.live import feeds

pytestmark = pytest.mark.django_db(transaction=True)


def test_frames_are_json_texts_with_the_documented_fields(daphne: Server, domain: Domain) -> None:
    page = opened(daphne, signed_in(domain)[1])
    feeds.queues(domain.pk).publish({"queue:ö": (1, {"name": 'Vertrieb "Süd" \u2028 </script>'})})
    page.until(lambda: page.shows("queues", "queue:ö") is not None)

    assert page.shows("queues", "queue:ö") == {"name": 'Vertrieb "Süd" \u2028 </script>'}
    assert set(json.dumps(page.frames[-1])) <= set(map(chr, range(32, 127)))
    assert set(page.frames[-1]) == {"feed", "id", "prev", "set", "del"}


@pytest.mark.parametrize(("kind", "code"), [("daphne", 1006), ("uvicorn", 1012)])
def test_a_server_says_when_to_come_back_before_it_goes(
    kind: str, code: int, own_redis: RedisServer, domain: Domain, tmp_path: Path
) -> None:
    with serving(kind, own_redis, tmp_path) as server:
        page = opened(server, signed_in(domain)[1])

        server.child.kill(signal.SIGTERM)

        assert page.close_code(5) == code
        assert page.frames[-1] == {"bye": 5}
