"""Which languages the product speaks: English, and every one whose compiled catalogue stands in `wallboard/locale`."""

from pathlib import Path

SOURCE = "en"  # the language that the texts are written in; it needs no catalogue
OWN_NAMES = {
    "en": "English",
    "de": "Deutsch",
    "es": "Español",
    "fr": "Français",
    "nl": "Nederlands",
    "ar": "العربية",
}  # as whoever reads that language looks for it


def offered(folder: Path) -> list[tuple[str, str]]:
    """(code, name in that language itself) of all that can be chosen, English first and the others by their names.

    Only whole catalogues are committed (tests/languages holds that), so what is there is complete.
    """
    found = {path.parents[1].name for path in folder.glob("*/LC_MESSAGES/django.mo")} - {SOURCE}
    return [(code, OWN_NAMES.get(code, code)) for code in (SOURCE, *sorted(found, key=_by_name))]


def _by_name(code: str) -> str:
    return OWN_NAMES.get(code, code)
