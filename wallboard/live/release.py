"""The version of the pages, which every socket tells its browser."""

import hashlib
from functools import cache
from pathlib import Path

from django.conf import settings


def release() -> str:
    """The version of the pages: a digest of the list of static files, which carry their content's hash in the name.

    It is that of this process, as its pages are: files collected later are served after its restart.
    """
    return digest_of(Path(settings.STATIC_ROOT) / "staticfiles.json")


@cache
def digest_of(manifest: Path) -> str:
    """Short text that changes with the file as it was when first read; "unhashed" where there is none."""
    try:
        return hashlib.sha256(manifest.read_bytes()).hexdigest()[:12]
    except OSError:
        # In development nobody collects static files.
        return "unhashed"
