"""What scripts send as JSON, checked before anything else sees it."""

from typing import Annotated, TypeVar

import msgspec
from django.core.exceptions import BadRequest
from django.http import HttpRequest

Id = Annotated[int, msgspec.Meta(ge=1, le=2**63 - 1)]
T = TypeVar("T")


def parse(request: HttpRequest, kind: type[T]) -> T:
    """The body of a request as this structure. Raises BadRequest."""
    return decode(request.body, kind)


def decode(body: bytes, kind: type[T]) -> T:
    """A body as this structure. Raises BadRequest."""
    try:
        return msgspec.json.decode(body, type=kind)
    # Deep nesting ends in a RecursionError, bad bytes in a UnicodeDecodeError: all are the sender's fault.
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadRequest("The body is not what this address takes.") from error
