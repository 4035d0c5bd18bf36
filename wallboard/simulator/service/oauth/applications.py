"""Client applications as the developer portal knows them."""

from dataclasses import dataclass
from typing import Literal

Grant = Literal["client_credentials", "authorization_code"]


@dataclass(frozen=True, slots=True)
class Application:
    """A client application, registered for one of the two grants."""

    client_id: str
    client_secret: str
    grant: Grant
    redirect_uris: tuple[str, ...] = ()
