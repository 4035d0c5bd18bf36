"""A headless Chromium, and pages that fail a test for what their console complains about."""

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error, Page, Playwright, sync_playwright

from tests.harness import headless_shell, http_server, static_files

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--disable-gpu",
    "--disable-quic",
    "--font-render-hinting=none",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def program() -> str:
    """The installed Chromium; "" where there is none."""
    return next((found for name in NAMES if (found := shutil.which(name))), "")


def quick() -> str:
    """The headless shell, else the installed Chromium; "" where there is neither.

    Both draw and script alike. Debian's draws a window of its own around each page, which takes twice the processor.
    """
    return headless_shell.program() or program()


@contextmanager
def running_playwright() -> Iterator[Playwright]:
    """What starts browsers; one in a process."""
    with sync_playwright() as playwright, pytest.MonkeyPatch.context() as patch:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")  # Playwright's loop counts as running between its calls
        yield playwright


@contextmanager
def launched(playwright: Playwright, path: str) -> Iterator[Browser]:
    """That Chromium, headless; skips where there is none."""
    if not path:
        pytest.skip("no Chromium is installed (Debian: apt-get install chromium)")
    sandbox = [] if os.geteuid() else ["--no-sandbox"]
    with http_server.serving(static_files.StaticFiles) as port:
        address = f"127.0.0.1:{port}"
        # A page that no server sent counts as one of the internet, which may load nothing of this machine.
        ours = [
            f"--host-resolver-rules=MAP {static_files.HOST} {address}",
            f"--ip-address-space-overrides={address}=public",
        ]
        browser = playwright.chromium.launch(executable_path=path, args=[*FLAGS, *sandbox, *ours])
        yield browser
        browser.close()


@contextmanager
def running_browser() -> Iterator[Browser]:
    """The installed Chromium, headless, alone in its process."""
    with running_playwright() as playwright, launched(playwright, program()) as browser:
        yield browser


class Pages:
    """Opens pages, each with cookies of its own, and keeps what their consoles complained about."""

    def __init__(self, browser: Browser, allowed: str = "") -> None:
        self._browser = browser
        self._allowed = re.compile(allowed) if allowed else None
        self._contexts: list[BrowserContext] = []
        self.complaints: list[str] = []

    def open(self, url: str = "", *, width: int = 1280, height: int = 720, **options: Any) -> Page:
        """A page of a new context, at that address; further options are Playwright's for the context."""
        context = self._browser.new_context(viewport={"width": width, "height": height}, **options)
        self._contexts.append(context)
        context.on("page", self._watch)
        page = context.new_page()
        if url:
            page.goto(url)
        return page

    def _watch(self, page: Page) -> None:
        page.on("console", self._read)
        page.on("pageerror", self._fail)

    def _read(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self._keep(f"{message.text} ({message.location.get('url', '')})")

    def _fail(self, error: Error) -> None:
        self._keep(str(error))

    def _keep(self, complaint: str) -> None:
        if not (self._allowed and self._allowed.search(complaint)):
            self.complaints.append(complaint)

    def close(self) -> None:
        """End every page and fail for what was complained about: script errors, refused content, missing files."""
        for context in self._contexts:
            context.close()
        assert not self.complaints, f"The browser's console complained: {self.complaints}"
