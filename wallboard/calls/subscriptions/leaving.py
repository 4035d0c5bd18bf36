"""What becomes of subscriptions at a provider that the company has left."""

from django.utils import timezone

from wallboard.calls.models import Subscription
from wallboard.calls.webhooks import hook_secrets


def leave(domain_id: int) -> None:
    """Take nothing more at their addresses, to which that provider may post for days; the next check begins others.

    Nothing is deleted there: the credentials for it are gone, and the present provider has other ids.
    """
    closed_at = timezone.now() - hook_secrets.OVERLAP
    rows = Subscription.objects.filter(domain_id=domain_id)
    rows.update(state=Subscription.State.RETIRED, retired_at=closed_at, provider_id="", not_before=None)
