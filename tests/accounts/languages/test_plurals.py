"""Texts that count reach scripts with every form of the language."""

from collections.abc import Callable

from accounts.languages.plurals import counted


def by_arabic_rules(number: int) -> str:
    rest = number % 100
    form = 0 if number == 0 else number if number < 3 else 3 if 3 <= rest <= 10 else 4 if rest >= 11 else 5
    return f"form {form}"


def test_each_form_stands_under_the_name_that_browsers_give_it() -> None:
    english: Callable[[int], str] = lambda n: "{n} card" if n == 1 else "{n} cards"  # noqa: E731

    assert counted(english) == {"one": "{n} card", "other": "{n} cards"}
    assert counted(by_arabic_rules) == {
        "zero": "form 0",
        "one": "form 1",
        "two": "form 2",
        "few": "form 3",
        "many": "form 4",
        "other": "form 5",
    }
