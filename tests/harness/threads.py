"""Work in threads of its own for as long as a block runs."""

import threading
from collections.abc import Callable
from typing import Self


class Threads:
    """Each work runs in a thread, and looks at `is_over` to see when the block has ended."""

    def __init__(self, *work: Callable[[], None]) -> None:
        self.is_over = threading.Event()
        self._threads = [threading.Thread(target=each) for each in work]

    def __enter__(self) -> Self:
        for each in self._threads:
            each.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.is_over.set()
        for each in self._threads:
            each.join()
