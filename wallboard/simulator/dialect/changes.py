"""Changes of a dialect: from the command line, from JSON, all of them or none; and the list of switches in words."""

from collections.abc import Iterable, Mapping

from wallboard.simulator.dialect.switches import TABLE, Dialect
from wallboard.simulator.types import JSON

SWITCHES = {field.name: field for field in TABLE}


def apply(dialect: Dialect, changes: Mapping[str, object]) -> None:
    """Set these switches; ValueError, and nothing is set, where one is unknown or its value makes no sense."""
    for name, value in parsed(changes).items():
        setattr(dialect, name, value)


def parsed(changes: Mapping[str, object]) -> dict[str, object]:
    """The values of these switches as the dialect holds them."""
    found = {}
    for name, raw in changes.items():
        if name not in SWITCHES:
            raise ValueError(f"There is no switch {name[:40]!r}; `--dialect help` lists them.")
        try:
            found[name] = SWITCHES[name].metadata["values"].parse(raw)
        except ValueError as problem:
            raise ValueError(f"{name} must be {problem}.") from None
    return found


def from_arguments(arguments: Iterable[str]) -> dict[str, object]:
    """The changes that `--dialect NAME=VALUE …` asks for."""
    pairs = (argument.partition("=") for argument in arguments)
    return parsed({name.strip(): value.strip() for name, _, value in pairs})


def reset(dialect: Dialect) -> None:
    """Every switch back to its default."""
    apply(dialect, {field.name: field.default for field in TABLE})


def as_json(dialect: Dialect) -> JSON:
    """Every switch with its value now."""
    return {field.name: getattr(dialect, field.name) for field in TABLE}


def described(dialect: Dialect | None = None) -> list[dict[str, str]]:
    """Every switch in words: its values, its default, its meaning, and its value in this dialect."""
    dialect = dialect or Dialect()
    return [
        {
            "name": field.name,
            "values": field.metadata["values"].description,
            "default": _text(field.default),
            "value": _text(getattr(dialect, field.name)),
            "meaning": field.metadata["meaning"],
        }
        for field in TABLE
    ]


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:g}" if isinstance(value, float) else str(value)


def help_text() -> str:
    """What `--dialect help` prints."""
    lines = [
        f"{each['name']}={each['default']}\n    {each['values']}: {each['meaning'].replace('`', '')}"
        for each in described()
    ]
    return "\n".join(lines) + "\n"
