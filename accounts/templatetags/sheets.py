"""What a page says while a sheet is made."""

import json

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.languages.plurals import counted

register = template.Library()


@register.simple_tag
def sheet_texts() -> str:
    """The texts for static/js/pages/sheets.js."""
    texts: dict[str, object] = {
        "looking": _("Looking for the rows …"),
        "rows": counted(lambda n: ngettext("{done} of {n} row", "{done} of {n} rows", n)),
        "packing": _("Packing the file …"),
        "saved": counted(lambda n: ngettext("{name}: {n} row, ready.", "{name}: {n} rows, ready.", n)),
        "broken": _("The sheet broke off, and nothing was saved. Try again, or choose fewer days."),
        "stopped": _("Stopped. Nothing was saved."),
        "bar": _("Rows of the sheet"),
    }
    return json.dumps(texts)
