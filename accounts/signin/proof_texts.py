"""Why a sign-in waits to be linked, in words: for the person who waits, and for the administrator who decides."""

from django.utils.translation import gettext as _

from accounts.models import Grant, LinkNumber, Person
from accounts.signin import identity
from accounts.signin.identity import Proofs
from accounts.signin.joining import LOCAL_EXTENSION

Outcome = LinkNumber.Outcome


def proofs_of_grant(grant: Grant) -> Proofs:
    """Whom the provider named at the last sign-in. Whether the names are ours was judged then, by who waits now."""
    account, is_unanswered = grant.account, grant.is_probe_unanswered
    return Proofs(grant.named_by_token, grant.named_by_probe, account=account, is_unanswered=is_unanswered)


def reasons(grant: Grant) -> list[str]:
    """What the provider named, and what speaks against believing it; one sentence each."""
    return [*_named_by_provider(grant), *_dialled(grant)]


def _dialled(grant: Grant) -> list[str]:
    """The phone that dialled their number and was not believed by itself."""
    undecided = LinkNumber.objects.filter(user=grant.user_id, outcome__in=(Outcome.CONFIRM, Outcome.DIFFERS))
    row = undecided.last()
    return [_("Their number was dialled from extension %(user)s.") % {"user": row.extension}] if row else []


def _named_by_provider(grant: Grant) -> list[str]:
    proofs = proofs_of_grant(grant)
    if not (proofs.token_field or proofs.read_back):
        if proofs.is_unanswered:
            return [_("The provider could not be asked for the extension. Signing in again asks it once more.")]
        return [_("The provider names no extension.")]
    return [*_named(proofs), _conflict(grant, proofs)]


def _named(proofs: Proofs) -> list[str]:
    sentences = []
    if proofs.token_field:
        sentences.append(_("The token answer names %(user)s.") % {"user": proofs.token_field})
    if proofs.read_back:
        sentences.append(_("The subscription read back names %(user)s.") % {"user": proofs.read_back})
    return sentences


def _conflict(grant: Grant, proofs: Proofs) -> str:
    extension = proofs.extension
    names = [text for text in (proofs.token_field, proofs.read_back) if text]
    if "," in proofs.read_back:
        return _("A sign-in belongs to one extension, and several are no proof of any.")
    if not extension:
        return _("They contradict each other, so neither is believed.")
    if not _is_of_company(grant, names) or not identity.may_be_ours(extension):
        return _("That is not a user of this company's domain, as far as it is known here.")
    if Person.objects.filter(domain_id=grant.domain_id, extension=extension).exclude(user=None).exists():
        return _("Extension %(extension)s is linked to another account at the provider.") % {"extension": extension}
    others = Grant.objects.filter(domain_id=grant.domain_id).exclude(user__person=None)
    others = others.exclude(user__person__extension=LOCAL_EXTENSION)
    if any(proofs.is_same_account(other.account) for other in others):
        return _("The same account at the provider is linked to another extension.")
    # What spoke against it at the sign-in is over: the company's domain was learned, or somebody was taken off.
    return _("Nothing speaks against that any more: signing in again links this extension.")


def _is_of_company(grant: Grant, names: list[str]) -> bool:
    ours = grant.domain.provider_domain.lower()
    return all(domain in ("", ours) for domain in (name.partition("@")[2] for name in names))
