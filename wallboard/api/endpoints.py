"""What the API answers: one entry for each address and method, from which routes and the OpenAPI document are made."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

import msgspec
from django.utils import timezone

from accounts import audit
from accounts.models import Domain
from wallboard.api.callers import Caller

LONGEST_PAGE = 200
MOST_BYTES = 65_536  # of a body
BASE = "/api/v1/"
Count = Annotated[int, msgspec.Meta(ge=1, le=LONGEST_PAGE, description="How many at most.")]
Cursor = Annotated[
    str, msgspec.Meta(max_length=500, description="`next` of the page before; left out for the first page.")
]


@dataclass(frozen=True)
class Asked:
    """A request that was understood: who asks, the names in its address, its query and its body."""

    caller: Caller
    path: Mapping[str, str]
    query: Any = None
    body: Any = None

    @property
    def domain(self) -> Domain:
        return self.caller.domain

    def sees_numbers(self) -> bool:
        """Whether numbers and names of callers are told in full."""
        return self.caller.may("numbers")

    def audit_look(self, what: str, about: str = "") -> None:
        """Keep that the program looked callers up; once an hour, else each page would be an entry."""
        hour = f"{timezone.now():%Y-%m-%d %H}"
        audit.log(self.domain.pk, what, about, once=f"{hour} {self.caller.token_id} {about}")


@dataclass(frozen=True)
class Endpoint:
    """One address with one method. `path` follows BASE, with names in braces; `answer` is a msgspec struct, or None.

    `query` and `body` are structs as well; `scope` is what a token needs for it.
    """

    name: str
    path: str
    scope: str
    summary: str
    handle: Callable[[Asked], Any]
    answer: Any
    method: str = "GET"
    query: Any = None
    body: Any = None
    status: int = 200
    errors: tuple[int, ...] = field(default=())
    most_bytes: int = MOST_BYTES


class Paged(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What every list takes."""

    limit: Count = 50
    cursor: Cursor = ""
