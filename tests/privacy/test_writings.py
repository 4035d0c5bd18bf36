"""A number is found in whatever writing people of its country use."""

import phonenumbers
import pytest
from phonenumbers import PhoneNumberFormat

from accounts.models import Domain
from wallboard.calls import numbers
from wallboard.calls.retention import traces
from wallboard.desk.models import Note

KINDS = range(8)  # mobile, fixed, free of charge and so on


@pytest.mark.parametrize("region", sorted(phonenumbers.SUPPORTED_REGIONS))
def test_a_trace_finds_what_pages_show_and_what_is_dialled(region: str) -> None:
    examples = filter(None, (phonenumbers.example_number_for_type(region, kind) for kind in KINDS))
    for number in (phonenumbers.format_number(each, PhoneNumberFormat.E164) for each in examples):
        trace, shown = traces.of(number, region), numbers.shown(number, region)
        dialled = "".join(filter(str.isdigit, shown))
        assert trace is not None
        assert trace.is_in(f"call {shown}.")
        assert trace.is_in(dialled) or numbers.e164(dialled, region) != number
        assert not trace.is_in(f"9{dialled}9")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("country", "number", "text"),
    [
        ("AR", "+5491123456789", "011 15-2345-6789"),
        ("HU", "+36201234567", "06 20 123 4567"),
        ("DE", "+4930901820", "030 901820"),
        ("DE", "+4930901820", "٠٣٠ ٩٠١٨٢٠"),
        ("DE", "+٤٩٣٠٩٠١٨٢٠", "+49 (0)３０ ９０１８２０"),
    ],
)
def test_databases_find_it_too(country: str, number: str, text: str) -> None:
    domain = Domain.objects.create(slug="a", name="A", base_url="http://127.0.0.1:1", client_id="id", country=country)
    trace = traces.of(number, country)
    assert trace is not None
    for words in (f"ask {text} again", text.replace(" ", ""), f"{text}1"):
        Note.objects.create(domain=domain, call_id=words, text=words)

    assert Note.objects.filter(text__regex=trace.pattern).count() == 2
