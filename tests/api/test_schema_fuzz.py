"""What schemathesis makes of the OpenAPI document: no 5xx of a running server, no answer beside the schema."""

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from accounts.models import Domain
from tests.api.conftest import Program
from tests.api.conftest import floor as floor
from tests.api.conftest import make_program as make_program
from tests.api.conftest import program as program
from tests.boards.conftest import domain as domain
from tests.harness.redis import RedisServer
from tests.live.conftest import own_redis as own_redis
from tests.live.serving import serving
from wallboard.boards import editing
from wallboard.contacts import address_book
from wallboard.contacts.address_book import ContactInput

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database, pytest.mark.timeout(300)]
CHECKS = """not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,
    response_schema_conformance,unsupported_method,allow_header_conformance,ignored_auth"""
EXAMPLES, SEED = 5, 20261123
COMMAND = [sys.executable, "-m", "schemathesis.cli", "run"]


@pytest.mark.skipif(find_spec("schemathesis") is None, reason="schemathesis is not installed")
def test_no_request_makes_a_fault_or_an_answer_beside_the_schema(
    floor: Domain, program: Program, own_redis: RedisServer, tmp_path: Path
) -> None:
    address_book.save(floor, ContactInput("Dora", numbers=("+4930901845",)))
    editing.create(floor, editing.BoardInput("Orders"), slug="orders")
    options = ["--checks", re.sub(r"\s", "", CHECKS), "-n", str(EXAMPLES), "--seed", str(SEED), "--no-shrink"]
    options += [
        "--phases",
        "coverage,fuzzing",
        "--exclude-path",
        "/live",
        "--header",
        f"Authorization: Bearer {program.text}",
    ]

    with serving("daphne", own_redis, tmp_path, "tests.api.unhurried:application") as server:
        run = [*COMMAND, f"{server.origin}/api/v1/openapi.json", "--url", f"{server.origin}/api/v1", *options]
        done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, timeout=200)
        log = server.child.log.read_text()

    assert done.returncode == 0, done.stdout[-6000:]
    assert "Traceback" not in log
    assert program.text not in log
