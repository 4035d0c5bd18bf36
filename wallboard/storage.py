"""Static files under names that carry their content's hash, ES module imports included, and made small."""

import itertools
import re
import string
from collections.abc import Iterator
from typing import Any

from django.core.files.base import ContentFile, File
from whitenoise.storage import CompressedManifestStaticFilesStorage

OURS = {"js/": (".js", "application/javascript"), "css/": (".css", "text/css")}  # not the admin's
OLDEST = 2017  # the edition of the language that TVs know; nothing newer may come in
PRIVATE = re.compile(r"(?<!export )\bfunction\*? ?([A-Za-z]\w{2,})\(")


def small(text: str, kind: str) -> str:
    """A script or style sheet without comments and blanks, and with short names where nobody else uses them."""
    import minify  # only where files are collected: it brings a runtime of its own that servers do not need

    minify.config({"js-version": OLDEST})
    smaller = str(minify.string(kind, text))
    return with_short_functions(smaller) if kind == OURS["js/"][1] else smaller


def with_short_functions(script: str) -> str:
    """The small script with short names for its own functions: those that are not exported, and only ever called."""
    short = (f"${letter}" for letter in string.ascii_letters if f"${letter}" not in script)
    for name in dict.fromkeys(PRIVATE.findall(script)):
        used = re.compile(rf"(?<![\w$.\"'`-]){name}(?![\w$])")
        if all(_is_call(script, found) for found in used.finditer(script)):
            script = used.sub(next(short, name), script)
    return script


def _is_call(script: str, found: re.Match[str]) -> bool:
    """Whether the function is declared or called here, and not handed on, named in an object, or meant as a method."""
    if script[found.end() : found.end() + 1] != "(":
        return False
    depth = 0
    for at in itertools.count(found.end()):
        depth += {"(": 1, ")": -1}.get(script[at], 0)
        if depth == 0:
            is_body = script[at + 1 : at + 2] == "{"
            return not is_body or script[: found.start()].endswith(("function ", "function*"))
    return False


class Tightened:
    """A storage whose files of that kind are read small: a TV's page must not be large."""

    def __init__(self, storage: Any, kind: str) -> None:
        self.storage = storage
        self.kind = kind

    def open(self, path: str) -> "File[bytes]":
        """The file's content, made small."""
        with self.storage.open(path) as file:
            return ContentFile(small(file.read().decode(), self.kind).encode())


def tightened(name: str, storage: Any) -> Any:
    """The storage to read this file from."""
    for folder, (ending, kind) in OURS.items():
        if name.startswith(folder) and name.endswith(ending):
            return Tightened(storage, kind)
    return storage


class HashedStaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Rewrites `import … from "./x.js";` too, so that a module and what it imports always belong together."""

    support_js_module_import_aggregation = True
    max_post_process_passes = 12  # one for each module in the longest chain of imports, or the files are refused
    manifest_strict = False

    def post_process(self, paths: dict[str, Any], *args: Any, **kwargs: Any) -> Iterator[Any]:
        """Make the hashed copies; the files under their plain names stay as they were written."""
        read = {name: (tightened(name, storage), path) for name, (storage, path) in paths.items()}
        yield from super().post_process(read, *args, **kwargs)
