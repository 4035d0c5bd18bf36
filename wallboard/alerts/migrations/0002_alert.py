"""What was called an episode is an alert; no table changes."""

import django.db.models.deletion
from django.db import migrations, models

NAMES = {"episode": "alert", "watch": "evaluationstate"}
ACTIONS = ("add", "change", "delete", "view")


def rename_permissions(apps, schema_editor):
    """Who was allowed to see episodes in the admin site sees alerts."""
    permissions = apps.get_model("auth", "Permission").objects.using(schema_editor.connection.alias)
    for old, new in NAMES.items():
        for action in ACTIONS:
            of_old = permissions.filter(content_type__app_label="alerts", codename=f"{action}_{old}")
            of_old.update(codename=f"{action}_{new}", name=f"Can {action} {new}")


class Migration(migrations.Migration):
    dependencies = [("alerts", "0001_initial"), ("auth", "0012_alter_user_first_name_max_length")]

    operations = [
        migrations.AlterModelTable("Episode", "alerts_episode"),
        migrations.AlterModelTable("Watch", "alerts_watch"),
        migrations.RenameModel("Episode", "Alert"),
        migrations.RenameModel("Watch", "EvaluationState"),
        migrations.RunPython(rename_permissions, migrations.RunPython.noop),
        migrations.AlterField(
            "alert",
            "domain",
            models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="alerts", to="accounts.domain"
            ),
        ),
        migrations.AlterField(
            "alert",
            "queue",
            models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="alerts", to="queues.queue"),
        ),
        migrations.AlterField(
            "evaluationstate",
            "domain",
            models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.domain"),
        ),
    ]
