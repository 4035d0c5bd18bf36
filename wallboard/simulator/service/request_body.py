"""Bodies and queries of requests, read without trust in their bytes."""

from urllib.parse import parse_qsl

from aiohttp import web

from wallboard.simulator.service.errors import ApiError

FORM = "application/x-www-form-urlencoded"
NO_STORE = {"Cache-Control": "no-store", "Pragma": "no-cache"}


async def read_body(request: web.Request) -> bytes:
    """The whole body; 400 where it is not what its headers say."""
    try:
        return await request.read()
    except web.RequestPayloadError:
        raise ApiError(400, "bad_request", "The body does not fit its headers.") from None


async def read_form(request: web.Request) -> list[tuple[str, str]]:
    """The fields of a form, in their order; 400 where they are not UTF-8. Any other content type has no fields."""
    body = await read_body(request)
    if request.content_type != FORM:
        return []
    try:
        return parse_qsl(body.decode(), keep_blank_values=True, errors="strict")
    except ValueError:
        raise ApiError(400, "invalid_request", "The form is not UTF-8.", NO_STORE) from None


def query_parameters(request: web.Request) -> dict[str, str]:
    """The parameters of the query; bytes that are not UTF-8 become surrogates, so that they can be sent back."""
    query = request.raw_path.partition("#")[0].partition("?")[2]
    parameters: dict[str, str] = {}
    for name, value in parse_qsl(query, keep_blank_values=True, errors="surrogateescape"):
        parameters.setdefault(name, value)
    return parameters
