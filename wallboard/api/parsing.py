"""What a request says, checked against the struct that its endpoint declares."""

from typing import Any, get_args, get_origin

import msgspec
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, QueryDict

from wallboard.api.endpoints import MOST_BYTES
from wallboard.api.problems import Problem

JSON = "application/json"


def query_of(asked: QueryDict, kind: Any) -> Any:
    """The query as that struct. Raises Problem(400)."""
    if kind is None:
        if asked:
            raise Problem(400, f"This address takes no parameter “{next(iter(asked))[:60]}”.")
        return None
    lists = {each.encode_name for each in msgspec.structs.fields(kind) if is_list(each.type)}
    values = {name: asked.getlist(name) if name in lists else asked[name] for name in asked}
    try:
        return msgspec.convert(values, kind, strict=False)
    except msgspec.ValidationError as error:
        raise Problem(400, f"The query is not understood: {error}") from None


def is_list(kind: Any) -> bool:
    """Whether a field takes several values."""
    return get_origin(kind) is list or any(is_list(each) for each in get_args(kind))


def body_of(request: HttpRequest, kind: Any, most: int = MOST_BYTES) -> Any:
    """The body as that struct. Raises Problem(413), (415), (400) where it is no JSON, and (422)."""
    if kind is None:
        return None
    if request.content_type != JSON:
        raise Problem(415, f"Send the body as {JSON}.")
    try:
        text = request.body
    except RequestDataTooBig:
        raise Problem(413, f"A body may have {most} bytes.") from None
    if len(text) > most:
        raise Problem(413, f"A body may have {most} bytes.")
    try:
        return msgspec.json.decode(text, type=kind)
    except msgspec.ValidationError as error:
        raise Problem(422, f"The body is not understood: {error}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Problem(400, "The body is no JSON.") from None
