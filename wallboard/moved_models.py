"""For migrations that move a model to another app: permissions and the admin's log go with it."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from django.db.migrations import RunPython


def content_types_moved(before: str, after: str, models: Sequence[str]) -> RunPython:
    """An operation that gives the content types of these models, which lay in the app `before`, to the app `after`."""
    return RunPython(partial(_rename, before, after, models), partial(_rename, after, before, models))


def _rename(before: str, after: str, models: Sequence[str], apps: Any, editor: Any) -> None:
    types = apps.get_model("contenttypes", "ContentType").objects.using(editor.connection.alias)
    types.filter(app_label=before, model__in=models).update(app_label=after)
