"""Tokens that were revoked before keep no team from being removed."""

from typing import Any

from django.db import migrations


def forget_teams(apps: Any, schema_editor: Any) -> None:
    tokens = apps.get_model("api", "Token").objects.using(schema_editor.connection.alias)
    tokens.exclude(revoked_at=None).exclude(only_team=None).update(only_team=None)


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("api", "0001_tokens")]

    operations = [migrations.RunPython(forget_teams, migrations.RunPython.noop)]
