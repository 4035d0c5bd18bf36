"""The authorize endpoint: checks the application's request, lets a person sign in, sends the browser back."""

import re
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit, urlunsplit

from aiohttp import web

from wallboard.simulator.company import COMPANY, Company
from wallboard.simulator.oauth import Application, Codes
from wallboard.simulator.rendering import Pages

SEARCHABLE_FROM = 12
CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")


class NoWayBack(Exception):
    """The request cannot be trusted enough to send the browser anywhere: it is told here."""


class SentBack(Exception):
    """The request is refused at the application's own redirect URL."""

    def __init__(self, location: str) -> None:
        super().__init__(location)
        self.location = location


@dataclass(frozen=True, slots=True)
class Request:
    """What an application asks for on behalf of the person in front of the browser."""

    client_id: str
    redirect_uri: str
    state: str | None
    challenge: str

    def back(self, **values: str) -> str:
        """The redirect URL with these arguments, and with state if there was one."""
        if self.state is not None:
            values["state"] = self.state
        parts = urlsplit(self.redirect_uri)
        query = "&".join(part for part in (parts.query, urlencode(values)) if part)
        return urlunsplit(parts._replace(query=query))


class SignIn:
    def __init__(self, applications: list[Application], codes: Codes, company: Company, pages: Pages) -> None:
        self._applications = {application.client_id: application for application in applications}
        self._codes, self._company, self._pages = codes, company, pages

    async def get(self, request: web.Request) -> web.Response:
        """GET /api/oauth/authorize/: the sign-in page."""
        try:
            return self._page(self._asked(dict(request.query)), request)
        except NoWayBack as problem:
            return self._pages.answer("refused.html", {"problem": str(problem)}, status=400)
        except SentBack as back:
            return web.Response(status=303, headers={"Location": back.location})

    async def post(self, request: web.Request) -> web.Response:
        """POST to the same address, from the page's own form: the person is chosen, or declines."""
        form = {name: str(value) for name, value in (await request.post()).items()}
        try:
            asked = self._asked(dict(request.query))
        except NoWayBack as problem:
            return self._pages.answer("refused.html", {"problem": str(problem)}, status=400)
        except SentBack as back:
            return web.Response(status=303, headers={"Location": back.location})
        if "decline" in form:
            return _see(asked.back(error="access_denied", error_description="The person declined."))
        person = self._company.person(form.get("extension", ""))
        if person is None:
            return self._page(asked, request, "Choose who you are.", 422)
        code = self._codes.give(asked.client_id, asked.redirect_uri, person.extension, asked.challenge)
        return _see(asked.back(code=code))

    def _asked(self, query: dict[str, str]) -> Request:
        application = self._applications.get(query.get("client_id", ""))
        if application is None or application.grant != "authorization_code":
            raise NoWayBack("No application with this client id may sign people in.")
        redirect_uri = query.get("redirect_uri", "")
        if redirect_uri not in application.redirect_uris:
            raise NoWayBack("The redirect URL is not the one that was registered for this application.")
        challenge = query.get("code_challenge", "")
        asked = Request(application.client_id, redirect_uri, query.get("state"), challenge)
        if "response_type" not in query:
            raise SentBack(asked.back(error="invalid_request", error_description="response_type is missing."))
        if query["response_type"] != "code":
            raise SentBack(asked.back(error="unsupported_response_type", error_description="It is always code."))
        wants_proof = bool(challenge or query.get("code_challenge_method"))
        if wants_proof and (query.get("code_challenge_method") != "S256" or not CHALLENGE.fullmatch(challenge)):
            raise SentBack(asked.back(error="invalid_request", error_description="code_challenge must be S256."))
        return asked

    def _page(self, asked: Request, request: web.Request, problem: str = "", status: int = 200) -> web.Response:
        words = request.query.get("find", "").strip().lower()
        people = [p for p in self._company.people if words in p.name.lower() or words in p.extension]
        context = {
            "company": COMPANY,
            "people": people[:200],
            "hidden_count": max(0, len(people) - 200),
            "is_searchable": len(self._company.people) >= SEARCHABLE_FROM,
            "find": request.query.get("find", ""),
            "asked": [(name, value) for name, value in request.query.items() if name != "find"],
            "action": f"{request.path}?{request.query_string}",
            "going_to": urlsplit(asked.redirect_uri).netloc,
            "problem": problem,
        }
        parts = urlsplit(asked.redirect_uri)
        # A browser applies form-action to the redirect that answers the form as well.
        return self._pages.answer("signin.html", context, status=status, form_to=f"{parts.scheme}://{parts.netloc}")


def _see(location: str) -> web.Response:
    return web.Response(status=303, headers={"Location": location, "Cache-Control": "no-store"})
