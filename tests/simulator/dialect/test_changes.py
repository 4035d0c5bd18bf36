"""The table of switches, and how it is set from the command line and over HTTP."""

import re
from pathlib import Path

import pytest
import requests

from tests.simulator.conftest import Provider
from tests.simulator.test_simulate_command import simulate
from wallboard.demo.processes import BASE_DIR
from wallboard.simulator.dialect import changes
from wallboard.simulator.dialect.switches import TABLE, Dialect

WRONG: list[tuple[str, object]] = [
    ("wait_unit", "hours"),
    ("wait_unit", ["ms"]),
    ("event_loss_share", 1.1),
    ("event_loss_share", "nan"),
    ("event_lag_seconds", -1),
    ("record_batch_size", 1.5),
    ("unanswered_records", "perhaps"),
    ("call_time_zone", "Mars/Olympus"),
    ("call_time_zone", "../../etc/passwd"),
    ("call_time_zone", "\ud800"),
    ("token_user_field", "a b"),
    ("refresh_token_field", ""),
    ("no_such_switch", "1"),
]


def test_every_default_is_a_value_that_can_be_set() -> None:
    for field in TABLE:
        assert field.metadata["values"].parse(field.default) == field.default


def test_values_are_read_from_words_and_from_json() -> None:
    dialect = Dialect()

    changes.apply(dialect, {"wait_unit": "ms", "event_loss_share": "0.5", "unanswered_records": False})

    assert (dialect.wait_unit, dialect.event_loss_share, dialect.unanswered_records) == ("ms", 0.5, False)
    changes.apply(dialect, {"unanswered_records": "on", "record_batch_size": 20.0})
    assert (dialect.unanswered_records, dialect.record_batch_size) == (True, 20)


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_a_wrong_value_sets_nothing(name: str, value: object) -> None:
    dialect = Dialect()

    with pytest.raises(ValueError, match=name):
        changes.apply(dialect, {"wait_unit": "ms", name: value} if name != "wait_unit" else {name: value})

    assert dialect == Dialect()


def test_the_documentation_has_the_table() -> None:
    text = (BASE_DIR / "docs" / "simulator.md").read_text()
    rows = [
        f"| `{each['name']}` | {each['values']} | {each['default']} | {each['meaning']} |"
        for each in changes.described()
    ]

    assert re.findall(r"^\| `\w+` \| .* \| .* \| .* \|$", text.partition("## The dialect")[2], re.MULTILINE) == rows


def test_every_switch_is_tried_by_a_test() -> None:
    tests = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*_switches.py"))

    assert [field.name for field in TABLE if not re.search(rf"\b{field.name}\b", tests)] == []


@pytest.mark.flow
def test_the_command_lists_the_switches() -> None:
    done = simulate("--dialect", "help")

    assert done.returncode == 0
    assert [line.partition("=")[0] for line in done.stdout.splitlines() if "=" in line.split()[0]] == [
        field.name for field in TABLE
    ]


@pytest.mark.flow
@pytest.mark.parametrize("argument", ["wait_unit=hours", "no_such_switch=1", "wait_unit"])
def test_the_command_refuses_a_wrong_switch_in_one_sentence(argument: str) -> None:
    done = simulate("--dialect", argument)

    assert done.returncode == 1
    assert done.stderr.startswith(f"CommandError: {'There is no switch' if 'no_' in argument else 'wait_unit must be'}")
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.flow
def test_switches_are_set_read_and_reset_over_http(provider: Provider) -> None:
    url = f"{provider.url}/control/dialect"

    changed = provider.control("dialect", wait_unit="ms", call_time_zone="Europe/Berlin")["dialect"]
    refused = requests.post(url, json={"wait_unit": "s", "queue_legs": "nowhere"}, timeout=5)

    assert (changed["wait_unit"], changed["call_time_zone"]) == ("ms", "Europe/Berlin")
    assert refused.status_code == 422
    answer = requests.get(url, timeout=5).json()
    assert answer["dialect"] == changed
    assert [each["name"] for each in answer["switches"]] == [field.name for field in TABLE]
    assert provider.control("dialect/reset")["dialect"] == changes.as_json(Dialect())


@pytest.mark.flow
def test_a_switch_is_set_by_the_form_of_the_page(provider: Provider) -> None:
    form = {"name": "wait_unit", "value": "min"}

    requests.post(f"{provider.url}/control/dialect", data=form, headers={"Accept": "text/html"}, timeout=5)

    assert "<strong>min</strong>" in requests.get(f"{provider.url}/control/", timeout=5).text
