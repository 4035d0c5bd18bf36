"""The webhook as a Django view, for whatever does not come through the ASGI endpoint."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt

from accounts.signin import client_address
from wallboard.calls.webhooks import receive


# The provider has no cookie of ours; the secret path is what proves the sender.
@csrf_exempt
async def hook(request: HttpRequest, secret: str) -> HttpResponse:
    """Answer a delivery."""

    async def body() -> bytes:
        # One byte too many is enough to know that it is too large.
        return request.read(receive.MOST_BYTES + 1)

    def sender() -> str:
        return client_address.of_request(request)

    announced = request.META.get("CONTENT_LENGTH") or "0"
    status = await receive.answer(secret.removesuffix("/"), str(request.method), announced, body, sender)
    response = HttpResponse(status=status, headers={"Allow": "POST"} if status == receive.WRONG_METHOD else None)
    del response.headers["Content-Type"]
    response._has_been_logged = True  # type: ignore[attr-defined]  # Django would log the path, which is the secret
    return response
