"""The mark of a figure in a template: {% figure "reports.late" %} within a tag."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from wallboard.figures.registry import FIGURES

register = template.Library()


@register.simple_tag
def figure(*keys: str) -> SafeString:
    """The attribute by which a page tells what it shows; on the head of a column it holds for the whole column."""
    for key in keys:
        if key not in FIGURES:
            raise template.TemplateSyntaxError(f"No figure is called {key}: see wallboard/figures/registry.py.")
    return format_html('data-figure="{}"', " ".join(keys))
