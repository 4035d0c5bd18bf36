"""`manage.py watch`: what is wrong is mailed once, reminded of, and called over; also with everything down."""

import errno
import json
import os
import shutil
from collections import namedtuple
from datetime import timedelta
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils import timezone

from accounts.models import Domain
from tests.harness.mail import MailServer, running_mail_server
from wallboard.calls.models import IntakeProof
from wallboard.live import clocks
from wallboard.operations import backups, problems
from wallboard.operations.problems import Problem
from wallboard.queues.models import PollState

Usage = namedtuple("Usage", "total used free")
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def healthy(redis_url: str, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that is there, a web process that takes deliveries, and a disk with room."""
    clocks.record("worker")
    IntakeProof.objects.create(proved_at=timezone.now())
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(100 * 2**30, 0, 50 * 2**30))
    settings.BACKUP_DIR = ""


@pytest.fixture
def post(settings: Any) -> Any:
    """A mail server of the installation, and an operator who gets mail."""
    with running_mail_server() as server:
        settings.SMTP, settings.MAIL_FROM = urlsplit(server.url), "wallboard@example.com"
        settings.OPERATOR_MAIL = ["ops@example.com"]
        yield server


def watch(state: Path) -> tuple[int, str]:
    """The exit status and what was printed."""
    output = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("watch", state=state, patience=0.0, stdout=output, stderr=output)
    return int(ended.value.code or 0), output.getvalue()


def fill_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(100 * 2**30, 0, 2**28))


def keys() -> list[str]:
    return [each.key.partition(" ")[0] for each in problems.current()]


def test_where_all_is_well_nothing_is_said(tmp_path: Path, post: MailServer) -> None:
    assert watch(tmp_path / "state") == (0, "")
    assert post.taken == []


def test_trouble_is_mailed_once_and_so_is_its_end(
    tmp_path: Path, post: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = tmp_path / "state"
    with monkeypatch.context() as full:
        fill_disk(full)
        assert watch(state)[0] == 1
        assert watch(state) == (1, "")
    assert watch(state)[0] == 0
    assert watch(state) == (0, "")

    first, last = post.wait_for(2)
    assert (first.to, first.letter["Subject"].split(" of ")[0]) == (["ops@example.com"], "Wallboard: The disk")
    assert "256 MB are free" in first.text
    assert last.letter["Subject"] == "Wallboard: all well again"
    assert len(post.taken) == 2


def test_what_lasts_is_said_again_after_hours(
    tmp_path: Path, post: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = tmp_path / "state"
    fill_disk(monkeypatch)
    watch(state)
    [told] = json.loads(state.read_text()).values()
    state.write_text(json.dumps({key: at - 7 * 3600 for key, at in told.items()}))  # for everybody, as it once was

    assert "nearly full" in watch(state)[1]
    assert len(post.wait_for(2)) == 2


def test_a_mail_that_does_not_go_out_is_tried_again(
    tmp_path: Path, post: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = tmp_path / "state"
    fill_disk(monkeypatch)
    post.refuses["ops@example.com"] = "550 no such person"
    status, text = watch(state)
    assert (status, "no such person" in text) == (2, True)

    post.refuses.clear()
    assert watch(state)[0] == 1
    assert len(post.wait_for(1)) == 1


def test_what_mends_itself_within_the_patience_is_no_trouble(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looks = iter([[Problem("redis", "Redis is away.")], []])
    monkeypatch.setattr(problems, "current", lambda: next(looks))
    assert watch(tmp_path / "state") == (0, "")


def test_without_redis_only_redis_is_named(settings: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert keys() == ["redis"]


def test_without_the_database_the_rest_is_still_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(**_: Any) -> Any:
        raise DatabaseError

    monkeypatch.setattr(problems, "of_database", away)
    fill_disk(monkeypatch)
    assert keys() == ["disk", "database"]


def test_a_worker_a_beat_and_a_web_process_that_are_gone_are_told_apart(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    domain = Domain.objects.create(slug="m", name="M", base_url="http://p.test", client_id="i", client_secret="s")
    tried = PollState.objects.create(domain=domain, tried_at=timezone.now())
    assert keys() == []

    PollState.objects.filter(pk=tried.pk).update(tried_at=timezone.now() - timedelta(minutes=3))
    assert keys() == ["beat"]
    PollState.objects.filter(pk=tried.pk).update(not_before=timezone.now() + timedelta(minutes=1))
    assert keys() == [], "the provider asked for a pause"

    monkeypatch.setattr(problems, "WORKER_SECONDS", -1)
    assert keys() == ["worker"]
    IntakeProof.objects.update(proved_at=timezone.now() - timedelta(minutes=5))
    assert keys() == ["web", "worker"]


def test_who_refuses_a_mail_is_tried_again_and_nobody_else_gets_it_twice(
    tmp_path: Path, post: MailServer, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    state, settings.OPERATOR_MAIL = tmp_path / "state", ["ops@example.com", "night@example.com"]
    post.refuses["night@example.com"] = "450 4.2.0 greylisted"
    fill_disk(monkeypatch)

    statuses = [watch(state)[0] for _ in range(3)]
    post.refuses.clear()
    statuses += [watch(state)[0] for _ in range(2)]

    assert statuses == [2, 2, 2, 1, 1]
    assert [each.to[0] for each in post.taken] == ["ops@example.com", "night@example.com"]


def test_what_cannot_be_seen_behind_another_trouble_is_not_called_over(
    tmp_path: Path, post: MailServer, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    state, redis_url = tmp_path / "state", settings.REDIS_URL
    monkeypatch.setattr(problems, "WORKER_SECONDS", -1)
    first = watch(state)[1]
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    second = watch(state)[1]
    settings.REDIS_URL = redis_url
    third = watch(state)[1]

    assert "No worker is running" in first
    assert ("Redis" in second, "Over" in second) == (True, False)
    assert third == "Over: redis.\n"


def backed_up(folder: Path, age: timedelta) -> Path:
    """A backup in this folder of so long ago."""
    made_at = timezone.now() - age
    made = folder / f"{backups.PREFIX}{made_at:%Y%m%dT%H%M%S%fZ}"
    made.mkdir(parents=True)
    described = backups.Description(1, made_at, "https://w.test", "1", "sqlite", "d", 10**6, "0", {}, [], [])
    (made / backups.DESCRIPTION).write_bytes(msgspec.json.encode(described))
    return made


def test_backups_that_stopped_are_told_until_there_is_a_new_one(tmp_path: Path, settings: Any) -> None:
    state, settings.BACKUP_DIR = tmp_path / "state", str(tmp_path / "backups")
    backed_up(tmp_path / "backups", timedelta(hours=25))
    assert watch(state) == (0, "")

    shutil.rmtree(tmp_path / "backups")
    old = backed_up(tmp_path / "backups", timedelta(days=3))
    status, text = watch(state)
    assert (status, text.partition(".")[0]) == (1, "Backup: The latest is 72 hours old, 1")
    assert "Run `manage.py backup` daily" in text
    assert watch(state) == (1, "")

    (old / backups.DESCRIPTION).write_text("{")
    assert "cannot be read" in problems.current()[0].text

    backed_up(tmp_path / "backups", timedelta(0))
    assert watch(state) == (0, "Over: backup.\n")


def test_an_operator_reads_of_backups_that_stopped_and_boards_stay_live(
    tmp_path: Path, client: Client, settings: Any
) -> None:
    settings.BACKUP_DIR = str(tmp_path)
    old = backed_up(tmp_path, timedelta(days=3))
    told = client.get("/readyz", HTTP_ACCEPT_LANGUAGE="de").json()
    strangers = client.get("/readyz", REMOTE_ADDR="203.0.113.9").json()
    shutil.rmtree(old)
    backed_up(tmp_path, timedelta(hours=1))
    after = client.get("/readyz").json()

    assert [each.partition(",")[0] for each in told["warnings"]] == ["Backup: The latest is 72 hours old"]
    assert told["problems"] == after["problems"]
    assert "warnings" not in strangers | after


def test_no_backup_at_all_is_told_where_one_is_due(tmp_path: Path, settings: Any) -> None:
    assert keys() == [], "BACKUP_DIR is not set"

    settings.BACKUP_DIR = str(tmp_path / "backups")
    recorder = MigrationRecorder(connection).migration_qs
    recorder.update(applied=timezone.now() - timedelta(hours=25))
    assert keys() == [], "the first night is still to come"

    recorder.update(applied=timezone.now() - timedelta(hours=27))
    assert [each.text for each in problems.current()] == [f"Backup: There is none in {settings.BACKUP_DIR}."]


@pytest.mark.parametrize("reason", [errno.ESTALE, errno.EACCES])
def test_a_folder_that_cannot_be_read_breaks_nothing(
    reason: int, tmp_path: Path, settings: Any, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.BACKUP_DIR = str(tmp_path / "backups")
    backed_up(tmp_path / "backups", timedelta(hours=1))

    def scandir(folder: Path) -> None:
        raise OSError(reason, os.strerror(reason), str(folder))

    monkeypatch.setattr(backups, "os", SimpleNamespace(scandir=scandir))

    assert os.strerror(reason) in client.get("/readyz").json()["warnings"][0]
    assert "wallboard_backup_age_seconds" not in client.get("/metrics").content.decode()
    assert [each.key for each in problems.backups_overdue()] == ["backup"]
