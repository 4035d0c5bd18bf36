"""Static files under names that carry their content's hash, ES module imports included, without comments and blanks."""

from collections.abc import Callable, Iterator
from typing import Any

from django.core.files.base import ContentFile, File
from rcssmin import cssmin
from rjsmin import jsmin
from whitenoise.storage import CompressedManifestStaticFilesStorage

OURS = {"js/": (".js", jsmin), "css/": (".css", cssmin)}  # the admin's files come smaller already, or not at all


class Tightened:
    """A storage whose scripts and style sheets are read without comments and blanks: a TV's page must stay small."""

    def __init__(self, storage: Any, tighten: Callable[[str], str]) -> None:
        self.storage = storage
        self.tighten = tighten

    def open(self, path: str) -> "File[bytes]":
        """The file's content, tightened."""
        with self.storage.open(path) as file:
            return ContentFile(self.tighten(file.read().decode()).encode())


def tightened(name: str, storage: Any) -> Any:
    """The storage to read this file from."""
    for folder, (ending, tighten) in OURS.items():
        if name.startswith(folder) and name.endswith(ending):
            return Tightened(storage, tighten)
    return storage


class HashedStaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Rewrites `import … from "./x.js";` too, so that a module and what it imports always belong together."""

    support_js_module_import_aggregation = True
    manifest_strict = False

    def post_process(self, paths: dict[str, Any], *args: Any, **kwargs: Any) -> Iterator[Any]:
        """Make the hashed copies; the files under their plain names stay as they were written."""
        small = {name: (tightened(name, storage), path) for name, (storage, path) in paths.items()}
        yield from super().post_process(small, *args, **kwargs)
