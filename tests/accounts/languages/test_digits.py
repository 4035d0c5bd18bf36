"""Whatever digits a keyboard types, they mean the same extension or number."""

import pytest

from accounts.languages.digits import ascii_digits


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("١٠٣", "103"),
        ("۱۰۳", "103"),
        ("１０３", "103"),
        ("+٤٩ (٣٠) 90-١", "+49 (30) 90-1"),
        ("فرع ٢", "فرع 2"),
        ("x² Ⅳ 五", "x² Ⅳ 五"),
        ("", ""),
    ],
)
def test_each_decimal_digit_is_an_ascii_one(text: str, plain: str) -> None:
    assert ascii_digits(text) == plain
