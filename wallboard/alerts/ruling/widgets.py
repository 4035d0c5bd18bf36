"""Django's fields, drawn without its templates: a page of rules has three for every queue."""

from typing import Any

from django import forms
from django.forms.utils import flatatt
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString


class PlainSelect(forms.Select):
    """A list to choose from, without groups; the same markup as Django's."""

    def _render(self, template_name: str, context: dict[str, Any], renderer: Any = None) -> SafeString:
        widget = context["widget"]
        options = [option for _group, options, _index in widget["optgroups"] for option in options]
        lines = format_html_join(
            "",
            '\n  <option value="{}"{}>{}</option>',
            ((each["value"], flatatt(each["attrs"]), each["label"]) for each in options),
        )
        return format_html('<select name="{}"{}>{}\n</select>', widget["name"], flatatt(widget["attrs"]), lines)


class PlainNumber(forms.NumberInput):
    """A number, with the same markup as Django's."""

    def _render(self, template_name: str, context: dict[str, Any], renderer: Any = None) -> SafeString:
        widget = context["widget"]
        value = "" if widget["value"] is None else format_html(' value="{}"', widget["value"])
        return format_html('<input type="number" name="{}"{}{}>', widget["name"], value, flatatt(widget["attrs"]))
