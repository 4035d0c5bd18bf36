"""PKCE binds a code to the browser that asked for it, so it is used unless the provider refuses the challenge.

Whether it does is learned by asking the provider ourselves. What a browser brings back would not do: anybody may come
back with an error of their own making, and would thereby switch the protection off for the whole company.
"""

from accounts import audit, leases
from accounts.models import Domain
from accounts.signin import login
from wallboard.telephony import oauth

PAUSE_SECONDS = 60  # between two tries for one company, whoever causes them


def learn(domain: Domain) -> bool:
    """Try whether the provider refuses PKCE, at most once a minute; True when it is switched off from now on.

    Two exchanges with the provider. Nothing changes where it cannot be reached or refuses without a challenge, too.
    """
    if not (domain.uses_pkce and domain.login_client_id and leases.acquire(f"pkce:{domain.pk}", PAUSE_SECONDS)):
        return False
    address = domain.base_url, domain.login_client_id, login.redirect_uri(domain)
    if not oauth.refuses_pkce(*address, path=domain.authorize_path):
        return False
    domain.uses_pkce = False
    domain.save(update_fields=["uses_pkce"])
    audit.log(domain.pk, "PKCE refused by the provider", domain.slug, {"uses_pkce": [True, False]})
    return True
