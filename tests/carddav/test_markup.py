"""XML of strangers: what is no XML, what grows, what is too deep."""

import pytest

from wallboard.carddav import markup
from wallboard.carddav.markup import BadMarkup

LAUGHS = b"".join(b'<!ENTITY l%d "&l%d;&l%d;">' % (n, n - 1, n - 1) for n in range(1, 30))


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<a>",
        b"<a/><b/>",
        b'<!DOCTYPE a [<!ENTITY l0 "ha">' + LAUGHS + b"]><a>&l29;</a>",
        b'<!DOCTYPE a [<!ENTITY f SYSTEM "file:///etc/hostname">]><a>&f;</a>',
        b'<!DOCTYPE a SYSTEM "http://127.0.0.1/a.dtd"><a/>',
        b"<a>&nothing;</a>",
        b"<a>" * 100 + b"</a>" * 100,
        b"<a>" + b"<b/>" * (markup.MOST_ELEMENTS + 1) + b"</a>",
        b'<?xml version="1.0" encoding="nothing"?><a/>',
        b"\xff\xfe\x00",
    ],
)
def test_what_is_not_read(body: bytes) -> None:
    with pytest.raises(BadMarkup):
        markup.parsed(body)


def test_names_are_those_of_their_spaces() -> None:
    root = markup.parsed('<x:a xmlns:x="DAV:" xmlns="u"><b>Bü<![CDATA[ & ]]></b><b/></x:a>'.encode())

    assert (root.tag, root.text_at("{u}b"), len(list(root.all("{u}b")))) == ("{DAV:}a", "Bü &", 2)
    assert (root.has("{u}b"), root.first("{u}c", "{u}d")) == (True, None)
