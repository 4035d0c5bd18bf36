"""The authorize endpoint: checks the application's request, lets a person sign in, sends the browser back."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit, urlunsplit

from aiohttp import web

from wallboard.simulator.dialect.switches import Dialect
from wallboard.simulator.floor.company import COMPANY, Company
from wallboard.simulator.pages.rendering import Pages
from wallboard.simulator.service.errors import not_found
from wallboard.simulator.service.oauth.applications import Application
from wallboard.simulator.service.oauth.authorization_codes import AuthorizationCodes
from wallboard.simulator.service.request_body import query_parameters, read_form

SEARCHABLE_FROM, MOST_PEOPLE = 12, 200
CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")


class UntrustedRequest(Exception):
    """The request cannot be trusted enough to send the browser anywhere: a page says so."""


class RedirectError(Exception):
    """The request is refused at the application's own redirect URL."""

    def __init__(self, location: str) -> None:
        super().__init__(location)
        self.location = location


@dataclass(frozen=True, slots=True)
class AuthorizeRequest:
    """What an application asks for on behalf of the person in front of the browser."""

    client_id: str
    redirect_uri: str
    state: str | None
    challenge: str

    def location(self, **parameters: str) -> str:
        """The redirect URL with these parameters, and with state if there was one."""
        if self.state is not None:
            parameters["state"] = self.state
        parts = urlsplit(self.redirect_uri)
        query = "&".join(part for part in (parts.query, encoded(parameters)) if part)
        return urlunsplit(parts._replace(query=query))

    def error(self, code: str, description: str) -> RedirectError:
        return RedirectError(self.location(error=code, error_description=description))


class AuthorizeEndpoint:
    """The page on which a person says who they are."""

    def __init__(
        self,
        applications: Mapping[str, Application],
        codes: AuthorizationCodes,
        company: Company,
        pages: Pages,
        dialect: Dialect,
    ) -> None:
        self._applications, self._codes, self._company = applications, codes, company
        self._pages, self._dialect = pages, dialect

    async def get(self, request: web.Request) -> web.Response:
        """GET /api/oauth/authorize/: the sign-in page."""
        return self._answer(request, None)

    async def post(self, request: web.Request) -> web.Response:
        """POST to the same address, from the page's own form: the person is chosen, or declines."""
        return self._answer(request, dict(await read_form(request)))

    def _answer(self, request: web.Request, form: Mapping[str, str] | None) -> web.Response:
        self._check_path(request.path)
        query = query_parameters(request)
        try:
            authorize = self._checked(query)
            if form is None:
                return self._page(authorize, request.path, query)
            return self._sign_in(authorize, request.path, query, form)
        except UntrustedRequest as problem:
            return self._pages.response("refused.html", {"problem": str(problem)}, status=400)
        except RedirectError as error:
            return redirect(error.location)

    def _check_path(self, path: str) -> None:
        has_prefix = "/api/" in path  # behind the path of a further company, where there is one
        if self._dialect.authorize_path == ("bare" if has_prefix else "api"):
            raise not_found()

    def _sign_in(
        self, authorize: AuthorizeRequest, path: str, query: Mapping[str, str], form: Mapping[str, str]
    ) -> web.Response:
        if "decline" in form:
            raise authorize.error("access_denied", "The person declined.")
        person = self._company.person(form.get("extension", ""))
        if person is None:
            return self._page(authorize, path, query, "Choose who you are.", 422)
        code = self._codes.issue(authorize.client_id, authorize.redirect_uri, person.extension, authorize.challenge)
        return redirect(authorize.location(code=code))

    def _checked(self, query: Mapping[str, str]) -> AuthorizeRequest:
        application = self._applications.get(query.get("client_id", ""))
        if application is None or application.grant != "authorization_code":
            raise UntrustedRequest("No application with this client id may sign people in.")
        redirect_uri = query.get("redirect_uri", "")
        if redirect_uri not in application.redirect_uris:
            raise UntrustedRequest("The redirect URL is not the one that was registered for this application.")
        # Only from here on may errors go to the redirect URL: before, it could be anybody's (RFC 6749, 4.1.2.1).
        challenge, method = query.get("code_challenge", ""), query.get("code_challenge_method", "")
        authorize = AuthorizeRequest(application.client_id, redirect_uri, query.get("state"), challenge)
        if "response_type" not in query:
            raise authorize.error("invalid_request", "response_type is missing.")
        if query["response_type"] != "code":
            raise authorize.error("unsupported_response_type", "It is always code.")
        if (challenge or method) and self._dialect.pkce == "refused":
            raise authorize.error("invalid_request", "code_challenge is not known here.")
        is_good = method == "S256" and CHALLENGE.fullmatch(challenge)
        if (challenge or method) and self._dialect.pkce == "accepted" and not is_good:
            raise authorize.error("invalid_request", "code_challenge must be S256.")
        return authorize

    def _page(
        self, authorize: AuthorizeRequest, path: str, query: Mapping[str, str], problem: str = "", status: int = 200
    ) -> web.Response:
        search = query.get("find", "")
        wanted = search.strip().lower()
        people = [p for p in self._company.people if wanted in p.name.lower() or wanted in p.extension]
        redirect_parts = urlsplit(authorize.redirect_uri)
        context = {
            "company": COMPANY,
            "people": people[:MOST_PEOPLE],
            "hidden_count": max(0, len(people) - MOST_PEOPLE),
            "is_searchable": len(self._company.people) >= SEARCHABLE_FROM,
            "find": search,
            "parameters": [(name, value) for name, value in query.items() if name != "find"],
            "action": f"{path}?{encoded(query)}",
            "redirect_host": redirect_parts.netloc,
            "problem": problem,
        }
        # A browser applies form-action to the redirect that answers the form as well.
        form_to = f"{redirect_parts.scheme}://{redirect_parts.netloc}"
        return self._pages.response("signin.html", context, status=status, form_to=form_to)


def encoded(parameters: Mapping[str, str]) -> str:
    """A query with these parameters, each byte as it was sent."""
    return urlencode(parameters, errors="surrogateescape")


def redirect(location: str) -> web.Response:
    return web.Response(status=303, headers={"Location": location, "Cache-Control": "no-store"})
