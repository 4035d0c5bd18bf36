"""The scripts of a page, and beside each all that it imports: found one after the other they take a round trip each."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any

from django import template
from django.contrib.staticfiles import finders
from django.template import Engine
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()
IMPORT = re.compile(r'^(?:import|export)\b[^"\';]*["\'](\.{1,2}/[^"\']+)["\']', re.MULTILINE)
CARDS = "boards/_card_templates.html"
CARD = re.compile(r"""data-kinds="([^"]+)" data-script="{% static '([^']+)' %}\"""")
OF_SECTIONS = {"queues": "tiles"}  # the kinds of cards of an automatic layout, where they have another name
PAGE = "js/pages/board.js"  # names what it imports itself


@register.simple_tag
def module(name: str) -> SafeString:
    """The script with that name below static/, and what it imports to be fetched at the same time."""
    return format_html('{}<script type="module" src="{}"></script>', _preloads(imported(name)), static(name))


@register.simple_tag
def card_modules(layout: Mapping[str, Any]) -> SafeString:
    """The scripts of the cards of that layout, to be fetched with those of its page, which runs them as it draws."""
    return _preloads(of_cards(layout))


def _preloads(names: Iterable[str]) -> SafeString:
    return format_html_join("", '<link rel="modulepreload" href="{}">', ((static(each),) for each in names))


def of_cards(layout: Mapping[str, Any]) -> list[str]:
    """The scripts of the cards of a board, and what they import, without those that its page imports as well."""
    sections = [OF_SECTIONS.get(each, each) for each in layout.get("sections", ())]
    kinds = ["automatic", *sections] if sections else [card["kind"] for card in layout.get("cards", ())]
    scripts = [script for kind in kinds if (script := _card_scripts().get(kind))]
    found = dict.fromkeys(each for script in scripts for each in (script, *imported(script)))
    return [each for each in found if each != PAGE and each not in imported(PAGE)]


@cache
def _card_scripts() -> dict[str, str]:
    """The script of each kind of card, as the templates of cards name it."""
    text = Engine.get_default().get_template(CARDS).source
    return {kind: script for kinds, script in CARD.findall(text) for kind in kinds.split()}


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
