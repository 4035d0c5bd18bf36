"""New keys for old secrets, under traffic: each value is replaced only if it is still the one that was read."""

from collections.abc import Iterator

from django.apps import apps
from django.db.models import Model

from accounts import encryption
from accounts.encryption import SealedField


def rotate_all() -> int:
    """Re-encrypt every sealed column of every model under the newest key; answers how many values that were.

    Raises WrongKey at a value that no key opens. A value that changes meanwhile was written under the newest key.
    """
    return sum(_rotate(model, column) for model, column in sealed_columns())


def sealed_columns() -> Iterator[tuple[type[Model], str]]:
    """Every column that holds sealed text."""
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            if isinstance(field, SealedField):
                yield model, field.name


def _rotate(model: type[Model], column: str) -> int:
    rows = model._default_manager.exclude(**{f"{column}__isnull": True}).exclude(**{column: ""})
    count = 0
    for pk, old in list(rows.values_list("pk", column)):
        same = model._default_manager.filter(pk=pk, **{column: str(old)})
        count += same.update(**{column: encryption.rotate(str(old))})
    return count
