"""A number that is erased goes from every contact, and with their last number the contact too."""

from django.db.models import Q

from accounts import audit_anonymizing
from accounts.models import Domain
from wallboard.calls.retention.traces import Trace
from wallboard.contacts import search
from wallboard.contacts.models import Contact, ContactNumber


def erase(domain: Domain, trace: Trace) -> int:
    """Take the number out of all contacts of the company; gives how many had it."""
    rows = ContactNumber.objects.filter(domain=domain, number=trace.number)
    known = set(rows.values_list("contact_id", flat=True))
    rows.delete()
    gone = Contact.objects.filter(pk__in=known, numbers=None)
    audit_anonymizing.mask_contacts(domain.pk, {text for each in gone.values_list("name", "email") for text in each})
    gone.delete()
    names_number = Q(name__regex=trace.pattern) | Q(company__regex=trace.pattern) | Q(email__regex=trace.pattern)
    for contact in Contact.objects.filter(names_number | Q(pk__in=known), domain=domain).prefetch_related("numbers"):
        for name in ("name", "company", "email"):
            setattr(contact, name, trace.masked(getattr(contact, name)))
        contact.save()
        # The index of words holds the number too.
        search.index(domain.pk, [(contact, [row.number for row in contact.numbers.all()])])
    return len(known)
