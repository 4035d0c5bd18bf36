"""vCards as programs write them, old and new, tidy and not."""

import pytest

from wallboard.carddav import erased, vcards
from wallboard.carddav.vcards import Card


def card(*lines: str, version: str = "3.0") -> Card | None:
    return vcards.read("\r\n".join(["BEGIN:VCARD", f"VERSION:{version}", *lines, "END:VCARD", ""]))


def test_version_3_with_folds_groups_and_escapes() -> None:
    found = card(
        "N:Berg;Mia;;Dr.;",
        "FN:Dr. Mia\\, Be",
        " rg",
        "ORG:Berg\\; Tal AG;Sales",
        "item1.TEL;type=CELL;type=VOICE:+49 170",
        "\t 1234567",
        "item1.X-ABLabel:_$!<Mobile>!$_",
        'TEL;TYPE="work,pref":030 901820',
        "EMAIL;TYPE=INTERNET:mia@example.com",
        "PHOTO;ENCODING=b;TYPE=JPEG:" + "A" * 30_000,
    )

    assert found == Card("Dr. Mia, Berg", "Berg; Tal AG", ("mia@example.com",), ("030 901820", "+49 170 1234567"))


def test_version_4_with_addresses_and_preferences() -> None:
    found = card(
        "FN;LANGUAGE=de:Mia 北京",
        'TEL;VALUE=uri;PREF=20;TYPE="voice,home":tel:+49-30-901821;ext=12',
        "TEL;VALUE=uri;PREF=1:tel:+4930901820",
        "IMPP;PREF=30:sip:mia%40home@example.com",
        "IMPP:xmpp:mia@example.com",
        version="4.0",
    )

    assert found is not None
    assert found.name == "Mia 北京"
    assert found.numbers == ("tel:+4930901820", "tel:+49-30-901821;ext=12", "sip:mia@home@example.com")


def test_version_2_with_quoted_printable_and_charset() -> None:
    found = card(
        "N;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:M=FCller;J=F6rg",
        "ORG;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:B=C3=BCro=",
        " am Markt",
        "TEL;WORK;PREF:030901820",
        version="2.1",
    )

    assert found == Card("Jörg Müller", "Büro am Markt", (), ("030901820",))


@pytest.mark.parametrize(
    "text", ["", "hello", "BEGIN:VCARD\r\nFN:cut off", "BEGIN:VEVENT\r\nEND:VEVENT\r\n", "\0" * 99]
)
def test_what_is_no_card(text: str) -> None:
    assert vcards.read(text) is None


def test_a_group_is_no_contact() -> None:
    assert card("KIND:group", "FN:All", "TEL:1", version="4.0") is None


def test_lines_that_nobody_understands_lose_only_themselves() -> None:
    found = card("FN:Mia", ":::", "TEL;=;;:1", ";;;;", "TEL", "TEL:", "TEL:030901820", "N")

    assert found == Card("Mia", "", (), ("030901820",))


def test_a_line_without_end_takes_no_time() -> None:
    text = "BEGIN:VCARD\nFN" + ';a="b,c"' * 2_000 + ";a=b,c" * 2_000 + "\nTEL:1\nFN:x\nEND:VCARD"

    assert vcards.read(text) == Card("x", "", (), ("1",))


def test_unix_ends_and_a_mark_at_the_beginning() -> None:
    assert vcards.read("\ufeffbegin:vcard\nfn:Mia\ntel:1\nend:vcard\n") == Card("Mia", "", (), ("1",))


@pytest.mark.parametrize(("head", "piece"), [("X", " ="), ("NOTE;ENCODING=QUOTED-PRINTABLE:", "a=")])
def test_a_line_of_many_pieces_takes_no_time(head: str, piece: str) -> None:
    pieces = "\r\n".join([piece] * 400_000)

    assert card(f"{head}{pieces}", "", "FN:Mia", "TEL:1") == Card("Mia", "", (), ("1",))


@pytest.mark.parametrize("charset", ["undefined", "idna", "none-such", "hex"])
def test_a_charset_that_nobody_knows_is_read_as_that_of_old_programs(charset: str) -> None:
    found = card(f"FN;CHARSET={charset};ENCODING=QUOTED-PRINTABLE:J=F6rg xn--a-", "TEL:1", version="2.1")

    assert found == Card("Jörg xn--a-", "", (), ("1",))


def test_a_name_without_end_takes_no_time() -> None:
    assert erased.without_erased("a" * 400_000, "DE", lambda _: False).startswith("aaa")
