"""Where the provider has its sign-in page: the API shows the path in two forms, so the provider is asked."""

from accounts import audit
from accounts.models import Domain
from accounts.signin import login
from wallboard.telephony import oauth, transport

TRY_SECONDS = 10


def learn(domain: Domain) -> bool:
    """Find the page and keep its path; True where that is another than before. A path set by hand is left alone."""
    if not domain.login_client_id or domain.authorize_path not in oauth.AUTHORIZE_PATHS:
        return False
    with transport.all_within(TRY_SECONDS):
        found = oauth.authorize_path(domain.base_url, domain.login_client_id, login.redirect_uri(domain))
    if found in ("", domain.authorize_path):
        return False
    changes = {"authorize_path": [domain.authorize_path, found]}
    domain.authorize_path = found
    domain.save(update_fields=["authorize_path"])
    audit.log(domain.pk, "company changed", domain.slug, changes)
    return True
