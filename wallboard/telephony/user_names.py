"""User names as the provider writes them, read in one way wherever they come from.

`201`, `201@example.test` and `sip:201@example.test;transport=tls` name the same user. The forms with a scheme are SIP
URIs (RFC 3261 section 19.1.1): `sip:user:password@host:port;parameters?headers`, perhaps in angle brackets after a
display name.
"""

import re

import msgspec

SIP_URI = re.compile(r"(?:[^<]*<)?sips?:([^>]*)>?", re.IGNORECASE)
PARAMETERS = re.compile(r"[;?].*", re.DOTALL)
PORT = re.compile(r":\d*$")
LONGEST_USER = 64  # characters, as wide as the columns that hold extensions


class UserName(msgspec.Struct, frozen=True):
    """`user` is the extension or name alone; `domain` in lower case, "" where the text names none."""

    user: str = ""
    domain: str = ""

    def __str__(self) -> str:
        """As people read it: `201`, or `201@example.test` where the text named a domain."""
        return f"{self.user}@{self.domain}" if self.domain else self.user

    def is_of(self, domain: str) -> bool:
        """Whether this may be a user of that domain: it names that one, or none. Names of hosts have no case."""
        return self.domain in ("", domain.lower())


def read(text: str) -> UserName:
    """The name in a text; an empty one where there is no user, or one of more than LONGEST_USER characters."""
    uri = SIP_URI.fullmatch(text.strip())
    user, at, host = (uri[1] if uri else text).partition("@")
    if uri:
        user = (user if at else PARAMETERS.sub("", user)).partition(":")[0]  # after the colon comes a password
    user, host = user.strip(), PORT.sub("", PARAMETERS.sub("", host).strip())
    return UserName(user, host.lower()) if 0 < len(user) <= LONGEST_USER else UserName()
