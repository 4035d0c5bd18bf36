"""Addresses as the pages write them."""

from django import template

from wallboard.desk import addresses

register = template.Library()


@register.filter
def readable(address: str, country: str) -> str:
    """A number as people of the country read it; extensions and SIP addresses as they are."""
    return addresses.shown(address, country)
