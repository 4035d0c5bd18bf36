"""The webhook's HTTP edge."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt

from wallboard.calls import door
from wallboard.calls.addresses import DatabaseAway
from wallboard.calls.batches import REFUSED


@csrf_exempt
async def hook(request: HttpRequest, secret: str) -> HttpResponse:
    """Answer a delivery. A wrong secret is told nothing, whatever the method, and before its body is looked at."""
    return _answer(await _status(request, secret.removesuffix("/")))


async def _status(request: HttpRequest, secret: str) -> int:
    try:
        address = await door.find(secret)
    except DatabaseAway:
        return REFUSED
    if address is None:
        return door.NOT_FOUND
    if request.method != "POST":
        return 405
    announced = request.META.get("CONTENT_LENGTH") or "0"
    if not announced.isdecimal() or int(announced) > door.MOST_BYTES:
        return door.TOO_LARGE
    return await door.take(address, request.read(door.MOST_BYTES + 1))


def _answer(status: int) -> HttpResponse:
    response = HttpResponse(status=status, headers={"Allow": "POST"} if status == 405 else None)
    del response.headers["Content-Type"]
    response._has_been_logged = True  # type: ignore[attr-defined]  # Django would log the path, which is the secret
    return response
