"""The webhook as a Django view, for whatever does not come through wallboard/asgi.py, where calls/edge.py is first."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt

from accounts.attempts import address_of
from wallboard.calls import door


@csrf_exempt
async def hook(request: HttpRequest, secret: str) -> HttpResponse:
    """Answer a delivery."""

    async def body() -> bytes:
        return request.read(door.MOST_BYTES + 1)

    def sender() -> str:
        return address_of(request)

    announced = request.META.get("CONTENT_LENGTH") or "0"
    status = await door.answer(secret.removesuffix("/"), str(request.method), announced, body, sender)
    response = HttpResponse(status=status, headers={"Allow": "POST"} if status == door.WRONG_METHOD else None)
    del response.headers["Content-Type"]
    response._has_been_logged = True  # type: ignore[attr-defined]  # Django would log the path, which is the secret
    return response
