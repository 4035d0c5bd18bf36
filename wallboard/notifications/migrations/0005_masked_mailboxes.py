"""Mailboxes were named by their address, in the clear, and mail servers' answers repeated it."""

import re
from typing import Any

from django.db import migrations

ADDRESS = re.compile(r"([^\s<>@\"'()•])[^\s<>@\"'()]*@([\w.-]+)")
FIELDS = {  # of each model, beside those of other channels
    "Destination": ("name", "last_outcome"),
    "Delivery": ("destination_name", "outcome"),
}


def mask(apps: Any, schema_editor: Any) -> None:
    """As names are written from now on. The audit log is never rewritten: its old entries keep what they say."""
    alias = schema_editor.connection.alias
    for model, fields in FIELDS.items():
        rows = apps.get_model("notifications", model).objects.using(alias).filter(channel="email")
        for row in rows.only(*fields).iterator():
            before = [getattr(row, name) for name in fields]
            after = [ADDRESS.sub("\\1•••@\\2", value) for value in before]
            if after != before:
                rows.filter(pk=row.pk).update(**dict(zip(fields, after, strict=True)))
    notices = apps.get_model("notifications", "Notice").objects.using(alias).filter(person=None, told__contains="@")
    for notice in notices.only("told").iterator():
        notices.filter(pk=notice.pk).update(told=ADDRESS.sub("\\1•••@\\2", notice.told))


class Migration(migrations.Migration):
    dependencies = [("notifications", "0004_confirmed_addresses")]

    operations = [migrations.RunPython(mask, migrations.RunPython.noop)]
