"""Texts that count, for scripts: each form of the reader's language under the name that browsers give it."""

from collections.abc import Callable

# A number of each kind of CLDR, by which Intl.PluralRules names it; "other" is the one that every language has.
SAMPLES = {"zero": 0, "one": 1, "two": 2, "few": 3, "many": 11, "other": 100}


def counted(text: Callable[[int], str]) -> dict[str, str]:
    """The forms of a text by their CLDR names, for `counted` in static/js/lib/plurals.js.

    `text` is asked with a number for each: `counted(lambda n: ngettext("{n} card", "{n} cards", n))`.
    """
    other = text(SAMPLES["other"])
    forms = {name: text(number) for name, number in SAMPLES.items()}
    return {name: form for name, form in forms.items() if name == "other" or form != other}
