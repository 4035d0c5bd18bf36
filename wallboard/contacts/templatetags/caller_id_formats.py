"""Addresses as the pages write them."""

from django import template

from wallboard.contacts import caller_ids
from wallboard.contacts.safe_text import one_line

register = template.Library()


@register.filter
def plain(text: str) -> str:
    """What strangers wrote, as one line that turns no writing round."""
    return one_line(text)


@register.filter
def readable(address: str, country: str) -> str:
    """A number as people of the country read it; extensions and SIP addresses as they are."""
    return caller_ids.shown(address, country)
