"""How sending a message can fail.

Each channel is a module of this package with `send(address, message) -> str`: the outcome in a few words, or NotSent.
"""


class NotSent(Exception):
    """The message did not go out.

    `reason` is what the other side said, without secrets. `is_final` where the address is gone for good (a push
    subscription that was given up): nothing is sent to it again.
    """

    def __init__(self, reason: str, *, is_final: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.is_final = is_final
