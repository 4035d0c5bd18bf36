"""The service's own pages: plain templates beside this file, sent with a strict content security policy."""

from pathlib import Path
from typing import Any

from aiohttp import web
from django.template import Context, Engine

FOLDER = Path(__file__).parent
ASSETS = {"service.css": "text/css", "service.js": "text/javascript", "service.svg": "image/svg+xml"}


def page_headers(form_to: str = "") -> dict[str, str]:
    """Headers of a page: nothing but its own files, no frames, forms only to itself (and `form_to`)."""
    sources = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'"
    rules = f"{sources}; base-uri 'none'; frame-ancestors 'none'; form-action 'self' {form_to}".strip()
    return {
        "Content-Security-Policy": rules,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",
        "Cache-Control": "no-store",
    }


class Pages:
    """Renders templates; autoescaping is always on."""

    def __init__(self) -> None:
        self._engine = Engine(dirs=[str(FOLDER)])

    def response(self, name: str, context: dict[str, Any], status: int = 200, form_to: str = "") -> web.Response:
        """The page of this name."""
        text = self._engine.get_template(name).render(Context(context, use_l10n=False))
        body = text.encode("utf-8", "replace")  # names may hold what cannot be written as bytes
        headers = page_headers(form_to)
        return web.Response(body=body, status=status, content_type="text/html", charset="utf-8", headers=headers)

    async def asset(self, request: web.Request) -> web.Response:
        """GET /assets/<name>: style sheet, script and icon of the pages."""
        name = request.match_info["name"]
        if name not in ASSETS:
            raise web.HTTPNotFound
        text = (FOLDER / name).read_text("utf-8")
        headers = {"Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff"}
        return web.Response(text=text, content_type=ASSETS[name], charset="utf-8", headers=headers)
