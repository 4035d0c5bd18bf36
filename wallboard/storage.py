"""Static files under names that carry their content's hash, made small, a page's scripts in one."""

import re
from collections.abc import Iterator
from posixpath import dirname, join
from typing import Any

from django.core.files.base import ContentFile, File
from whitenoise.storage import CompressedManifestStaticFilesStorage

from wallboard import bundles

OURS = {"js/": (".js", "application/javascript"), "css/": (".css", "text/css")}  # not the admin's
SHEET = re.compile(r'@import "([^"]+)";')
OLDEST = 2017  # the edition of the language that TVs know; nothing newer may come in


def small(text: str, kind: str) -> str:
    """A script or style sheet without comments and blanks, and with short names inside its functions."""
    import minify  # only where files are collected: it brings a runtime of its own that servers do not need

    minify.config({"js-version": OLDEST})
    return str(minify.string(kind, text))


class Tightened:
    """A storage whose files of that kind are read small: a TV's page must not be large."""

    def __init__(self, storage: Any, kind: str) -> None:
        self.storage = storage
        self.kind = kind

    def open(self, path: str) -> "File[bytes]":
        """The file's content, made small; what a page's script or a sheet imports stands in it.

        Addresses in such sheets count from the folder of the one that imports them.
        """
        return ContentFile(small(self._whole(path), self.kind).encode())

    def _whole(self, path: str) -> str:
        if path.startswith(bundles.PAGES):
            return bundles.bundle(path, self._text)
        return SHEET.sub(lambda found: self._whole(join(dirname(path), found[1])), self._text(path))

    def _text(self, path: str) -> str:
        with self.storage.open(path) as file:
            return str(file.read().decode())


def tightened(name: str, storage: Any) -> Any:
    """The storage to read this file from."""
    for folder, (ending, kind) in OURS.items():
        if name.startswith(folder) and name.endswith(ending):
            return Tightened(storage, kind)
    return storage


class HashedStaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Serves scripts of pages with all that they import in them, so that they always belong together."""

    manifest_strict = False

    def post_process(self, paths: dict[str, Any], *args: Any, **kwargs: Any) -> Iterator[Any]:
        """Make the hashed copies; the files under their plain names stay as they were written."""
        read = {name: (tightened(name, storage), path) for name, (storage, path) in paths.items() if is_served(name)}
        yield from super().post_process(read, *args, **kwargs)


def is_served(name: str) -> bool:
    """Whether pages name this file: modules that others import are served within these."""
    return name.startswith(bundles.PAGES) or not name.startswith(bundles.SCRIPTS)
