"""The company's configuration as one document, for programs that set companies up."""

from typing import Literal

import msgspec

from wallboard.api import scopes
from wallboard.api.endpoints import Asked, Endpoint
from wallboard.api.problems import Problem
from wallboard.configuration import exporting, importing
from wallboard.configuration.comparing import Difference
from wallboard.configuration.document import LARGEST_BYTES, Configuration, NotUnderstood


class TakeQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`dry_run=yes` changes nothing."""

    dry_run: Literal["yes", "no"] = "no"


class Changes(msgspec.Struct, frozen=True):
    """What the document changes, or would change; `left_out` are the places of what no document can make."""

    items: list[Difference]
    left_out: list[str] = []


def export(asked: Asked) -> Configuration:
    """The whole configuration. Raises Problem."""
    _check(asked)
    return exporting.export(asked.domain)


def take(asked: Asked) -> Changes:
    """Set what the document says, all of it or nothing. Raises Problem."""
    _check(asked)
    try:
        left_out: list[str] = []
        found = importing.take(asked.domain, asked.body, is_dry=asked.query.dry_run == "yes", left_out=left_out)
        return Changes(found, left_out)
    except NotUnderstood as refusal:
        raise Problem(422, f"The body is not understood: {refusal}") from None


def _check(asked: Asked) -> None:
    if asked.caller.limit.is_set:
        raise Problem(403, "A token that is limited to queues or a team cannot ask for the configuration.")


ENDPOINTS = (
    Endpoint(
        "configuration", "configuration", scopes.CONFIGURATION, "The company's configuration", export, Configuration
    ),
    Endpoint(
        "configuration",
        "configuration",
        scopes.CONFIGURATION,
        "Set the configuration",
        take,
        Changes,
        method="PUT",
        query=TakeQuery,
        body=Configuration,
        most_bytes=LARGEST_BYTES,
    ),
)
