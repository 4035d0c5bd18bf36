"""deploy/monitoring: Prometheus loads the rules and reads us, and what rules and dashboard name is exported."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import requests
import yaml
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from accounts.models import Domain
from tests.harness.http_server import Quiet, serving
from tests.operations.test_problems import backed_up
from tests.test_health import subscribe
from wallboard.calls import publisher as calls_publisher
from wallboard.calls.models import Subscription
from wallboard.demo.processes import BASE_DIR, Child, free_port, wait_until
from wallboard.queues.models import PollState

MONITORING = BASE_DIR / "deploy" / "monitoring"
RULES, DASHBOARD = MONITORING / "rules.yml", MONITORING / "dashboard.json"
OF_PROMETHEUS = {"job", "instance"}  # labels that it puts on everything it reads


def promtool(*arguments: str) -> str:
    """What promtool says; fails with it."""
    if shutil.which("promtool") is None:
        pytest.skip("no promtool is installed (Debian: apt-get install prometheus)")
    done = subprocess.run(["promtool", *arguments], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def exported(client: Client, db: None, redis_url: str, tmp_path: Path, settings: Any) -> bytes:
    """What /metrics says of an installation with one company, of which everything is known."""
    settings.BACKUP_DIR = str(tmp_path / "backups")
    backed_up(tmp_path / "backups", timedelta(hours=3))
    domain = Domain.objects.create(slug="acme", name="Acme", base_url="https://provider.test", client_id="c")
    PollState.objects.create(domain=domain, version=4, read_at=timezone.now(), tried_at=timezone.now())
    subscribe(domain, state=Subscription.State.READY)
    calls_publisher.publisher.foresee({})  # starts the thread that a web process always has
    return client.get("/metrics").content


@pytest.fixture
def labels(exported: bytes) -> dict[str, set[str]]:
    """The labels of every series that is exported, by its name."""
    families = text_string_to_metric_families(exported.decode())
    return {sample.name: set(sample.labels) for family in families for sample in family.samples}


def rules() -> list[dict[str, Any]]:
    """The alerts of the file."""
    return [rule for group in yaml.safe_load(RULES.read_text())["groups"] for rule in group["rules"]]


def panels() -> list[dict[str, Any]]:
    """The panels of the dashboard, its headings included."""
    found: list[dict[str, Any]] = json.loads(DASHBOARD.read_text())["panels"]
    return found


def expressions() -> list[str]:
    """Everything that rules and dashboard ask Prometheus."""
    return [rule["expr"] for rule in rules()] + drawn()


def drawn() -> list[str]:
    """What the dashboard asks, with its variables as Grafana fills them in."""
    asked = [target["expr"] for panel in panels() for target in panel.get("targets", ())]
    return [
        each.replace("$__rate_interval", "1m").replace("$domain", ".*").replace("$instance", ".*") for each in asked
    ]


def test_prometheus_accepts_the_rules_and_the_example(tmp_path: Path) -> None:
    assert f"{len(rules())} rules found" in promtool("check", "rules", str(RULES))
    promtool("check", "config", str(MONITORING / "prometheus.yml"))


def test_each_alert_fires_when_it_should() -> None:
    promtool("test", "rules", str(Path(__file__).with_name("rules_test.yml")))


def test_every_alert_is_tried() -> None:
    tried = Path(__file__).with_name("rules_test.yml").read_text()

    assert [rule["alert"] for rule in rules() if f'alertname="{rule["alert"]}"' not in tried] == []


def test_prometheus_can_read_what_the_dashboard_asks(tmp_path: Path) -> None:
    records = [{"record": f"panel:{place}", "expr": asked} for place, asked in enumerate(drawn())]
    (tmp_path / "dashboard.yml").write_text(yaml.safe_dump({"groups": [{"name": "dashboard", "rules": records}]}))

    promtool("check", "rules", str(tmp_path / "dashboard.yml"))


def test_every_figure_that_is_asked_for_is_exported(labels: dict[str, set[str]]) -> None:
    asked = {name for text in expressions() for name in re.findall(r"\b(?:wallboard|process)_\w+", text)}

    assert len(asked) > 14
    assert asked - labels.keys() == set()


def test_every_label_that_is_asked_for_is_exported(labels: dict[str, set[str]]) -> None:
    wrong = []
    for text in expressions():
        for name, chosen in re.findall(r"\b((?:wallboard|process)_\w+)\{([^}]*)\}", text):
            asked = set(re.findall(r"(\w+)\s*(?:=~|!=|!~|=)", chosen))
            wrong += [(name, asked - labels[name] - OF_PROMETHEUS)] if asked - labels[name] - OF_PROMETHEUS else []

    assert wrong == []


def test_the_counts_of_refusals_begin_at_zero(exported: bytes) -> None:
    counted = set(re.findall(r'wallboard_deliveries_total\{status="(\d+)"\}', exported.decode()))

    assert {"204", "404", "408", "413", "429", "503"} <= counted


def test_the_age_of_the_latest_backup_is_told_where_there_is_one(
    exported: bytes, client: Client, settings: Any
) -> None:
    (age,) = re.findall(r"wallboard_backup_age_seconds (\d\S+)", exported.decode())
    settings.BACKUP_DIR = ""

    assert float(age) == pytest.approx(3 * 3600, abs=60)
    assert b"wallboard_backup_age_seconds" not in client.get("/metrics").content


def test_every_alert_says_what_to_do_and_stands_in_the_docs() -> None:
    text = (BASE_DIR / "docs" / "operating.md").read_text()
    for rule in rules():
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert {"summary", "description"} == rule["annotations"].keys()
        assert f"`{rule['alert']}`" in text


def test_no_panel_lies_on_another() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in panels():
        place = panel["gridPos"]
        cells = {(place["x"] + x, place["y"] + y) for x in range(place["w"]) for y in range(place["h"])}
        assert not cells & taken, panel["title"]
        assert max(x for x, _ in cells) < 24
        taken |= cells

    assert len({panel["id"] for panel in panels()}) == len(panels())


@pytest.fixture
def metrics_address(exported: bytes) -> Iterator[str]:
    """A server that says what /metrics said."""

    class Handler(Quiet):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
            self.end_headers()
            self.wfile.write(exported)

    with serving(Handler) as port:
        yield f"127.0.0.1:{port}"


def test_a_real_prometheus_reads_us_by_the_example(metrics_address: str, tmp_path: Path) -> None:
    if shutil.which("prometheus") is None:
        pytest.skip("no prometheus is installed (Debian: apt-get install prometheus)")
    example = (MONITORING / "prometheus.yml").read_text()
    example = example.replace("127.0.0.1:8000", metrics_address).replace("_interval: 15s", "_interval: 200ms")
    (tmp_path / "prometheus.yml").write_text(example)
    shutil.copy(RULES, tmp_path)
    address = f"127.0.0.1:{free_port()}"
    options = [f"--web.listen-address={address}", f"--storage.tsdb.path={tmp_path / 'data'}"]
    command = ["prometheus", f"--config.file={tmp_path / 'prometheus.yml'}", *options]
    server = Child("prometheus", command, tmp_path / "prometheus.log", cwd=tmp_path)

    def found(query: str) -> list[Any]:
        try:
            answer = requests.get(f"http://{address}/api/v1/query", {"query": query}, timeout=2)
            return list(answer.json()["data"]["result"])
        except (requests.RequestException, ValueError, KeyError):
            return []

    server.start()
    try:
        assert wait_until(lambda: bool(found('wallboard_call_events_live{job="wallboard",domain="acme"} == 1')), 20)
        loaded = requests.get(f"http://{address}/api/v1/rules", timeout=2).json()["data"]["groups"]
        assert [len(group["rules"]) for group in loaded] == [len(rules())]
    except AssertionError as error:
        raise AssertionError(server.tail()) from error
    finally:
        server.stop()
