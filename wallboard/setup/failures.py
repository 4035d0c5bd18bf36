"""What each kind of failure at the provider means, in words, and what an administrator does about it."""

from django.utils.translation import gettext as _


def advice_for(failure: str) -> tuple[str, str]:
    """What a kind of failure means and what to do about it."""
    known = _of_reaching_it() | _of_credentials() | _of_answers()
    return known.get(failure, (_("It failed: %(kind)s.") % {"kind": failure}, _("See the log of the worker.")))


def _of_reaching_it() -> dict[str, tuple[str, str]]:
    return {
        "unreachable": (
            _("The provider cannot be reached."),
            _("Check the base address and that this server may open connections to it."),
        ),
        "in_trouble": (
            _("The provider is there and in trouble itself."),
            _("Nothing to do here; ask the provider if it stays like this."),
        ),
        "rate_limited": (
            _("The provider asks us to slow down."),
            _("Nothing to do now; if it stays like this, raise POLL_SECONDS."),
        ),
        "unavailable": (
            _("The provider says that it cannot answer now (status 503)."),
            _("Nothing to do here; ask the provider if it stays like this."),
        ),
    }


def _of_credentials() -> dict[str, tuple[str, str]]:
    refused = (
        _("The provider refuses our credentials."),
        _("Compare client id and secret with the provider's developer portal; the grant is client credentials."),
    )
    return {
        "not_authorized": refused,
        "grant_refused": refused,
        "token_refused": (
            _("The provider refuses our access, with a fresh token too."),
            _("Most often this passes. If it lasts, see in the developer portal whether the application may do this."),
        ),
        "short_lived_token": (
            _("The provider's access tokens end as soon as they are given."),
            _("We ask for one a minute. Have the provider look at the lifetime of its tokens."),
        ),
        "wrong_key": (
            _("The stored secret cannot be opened."),
            _("TOKEN_KEYS lacks the key it was sealed with: add that key again, or enter the secret anew."),
        ),
    }


def _of_answers() -> dict[str, tuple[str, str]]:
    return {
        "not_found": (_("The provider has no such address."), _("Check the base address; it ends before /api/.")),
        "bad_response": (
            _("The provider's answer makes no sense."),
            _("Check that the base address is that of the API and not of a web page or proxy."),
        ),
        "request_refused": (
            _("The provider refuses what we ask for, as it stands."),
            _(
                "If it concerns a subscription, PUBLIC_URL may have to begin with https:// and to be reachable from "
                "the provider, or the application lacks a right. The log of the worker has the status."
            ),
        ),
        "not_ready": (
            _("The provider never confirmed the subscription."),
            _("PUBLIC_URL must be reachable from the provider. Check it from outside, and the proxy in front of us."),
        ),
    }
