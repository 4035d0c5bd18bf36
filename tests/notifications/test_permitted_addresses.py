"""Which addresses messages may go to."""

import pytest

from wallboard.notifications.permitted_addresses import is_listed, is_permitted, networks

CLOSED = """0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 127.0.0.1 127.255.0.9 169.254.169.254 172.16.0.1 172.31.255.255
    192.0.0.1 192.0.2.1 192.88.99.1 192.168.0.1 198.18.0.1 198.51.100.1 203.0.113.9 224.0.0.1 239.1.2.3
    240.0.0.1 255.255.255.255 :: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:93.184.215.14 64:ff9b::7f00:1
    64:ff9b::a00:1 64:ff9b:1::5db8:d70e 2001::1 2001:db8::1 2002:7f00:1:: 2002:5db8:d70e:: 3fff::1 fc00::1
    fd12:3456::1 fe80::1 fe80::1%eth0 fec0::1 ff02::1 100::1 5f00::1"""


@pytest.mark.parametrize("address", [*CLOSED.split(), "", "localhost", "127.1", "1.2.3.4.5"])
def test_what_is_not_plainly_public_is_closed(address: str) -> None:
    assert not is_permitted(address, ())


@pytest.mark.parametrize("address", ["93.184.215.14", "1.1.1.1", "2606:4700::1111", "64:ff9b::5db8:d70e"])
def test_public_addresses_are_open(address: str) -> None:
    assert is_permitted(address, ())


def test_what_the_operator_lists_is_open_and_nothing_beside_it() -> None:
    allowed = networks(["10.20.0.5", "10.30.0.1/16", "fd00:1::/64"])

    assert [is_permitted(each, allowed) for each in ("10.20.0.5", "10.30.255.1", "fd00:1::9")] == [True] * 3
    assert [is_permitted(each, allowed) for each in ("10.20.0.6", "10.31.0.1", "fd00:2::1", "::ffff:10.20.0.5")] == [
        False
    ] * 4
    assert not is_listed("93.184.215.14", allowed)


@pytest.mark.parametrize("text", ["10.0.0.0/33", "inside", "10.0.0.1:80", ""])
def test_what_is_no_network_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        networks([text])
