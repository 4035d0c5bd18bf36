"""A column for JSON that is only ever read and written whole."""

from typing import TYPE_CHECKING, Any

import msgspec
from django.db import models

# django-stubs would fix the column's Python type to str.
if TYPE_CHECKING:
    Text = models.Field[Any, Any]
else:
    Text = models.TextField


class WholeJson(Text):
    """JSON kept as text. No lookups into it; in return it costs a tenth of a JSONField to write and to read."""

    def from_db_value(self, value: str | None, *_: Any) -> Any:
        return None if value is None else msgspec.json.decode(value)

    def get_prep_value(self, value: Any) -> str:
        return msgspec.json.encode(value).decode()

    def value_to_string(self, obj: models.Model) -> str:
        """For serializers, which give it back to `to_python`."""
        return self.get_prep_value(self.value_from_object(obj))

    def to_python(self, value: Any) -> Any:
        return msgspec.json.decode(value) if isinstance(value, str) else value
