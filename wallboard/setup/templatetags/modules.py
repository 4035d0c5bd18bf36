"""The scripts of a page, and beside each all that it imports: found one after the other they take a round trip each."""

import re
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath

from django import template
from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()
IMPORT = re.compile(r'^(?:import|export)\b[^"\';]*["\'](\.{1,2}/[^"\']+)["\']', re.MULTILINE)


@register.simple_tag
def module(name: str) -> SafeString:
    """The script with that name below static/, and what it imports to be fetched at the same time."""
    addresses = ((static(each),) for each in imported(name))
    preloads = format_html_join("", '<link rel="modulepreload" href="{}">', addresses)
    return format_html('{}<script type="module" src="{}"></script>', preloads, static(name))


@cache
def imported(name: str) -> tuple[str, ...]:
    """The modules that this one imports, and those that they import, the nearest first; names below static/."""
    found: dict[str, None] = {}
    waiting = [name]
    for each in waiting:
        path = finders.find(each)
        text = Path(path).read_text() if isinstance(path, str) else ""
        for place in IMPORT.findall(text):
            there = normpath(join(dirname(each), place))
            if there not in found and there != name:
                found[there] = None
                waiting.append(there)
    return tuple(found)
