"""Alerts about more than the level of a queue, the rules of their kinds, and a record of every change of an alert."""

import django.db.models.deletion
import wallboard.queues.json_field
from django.db import migrations, models
from django.db.models import OuterRef, Subquery

LEVELS = [("normal", "normal"), ("watch", "watch"), ("late", "late")]
CHANGES = [("raised", "raised"), ("level", "level changed"), ("acknowledged", "acknowledged"), ("ended", "ended")]


def name_subjects(apps, schema_editor):
    """Every alert so far is about a queue, whose number is its subject."""
    alerts = apps.get_model("alerts", "Alert").objects.using(schema_editor.connection.alias)
    queues = apps.get_model("queues", "Queue").objects.using(schema_editor.connection.alias)
    alerts.update(subject=Subquery(queues.filter(pk=OuterRef("queue_id")).values("number")))


class Migration(migrations.Migration):
    dependencies = [("alerts", "0003_listeners")]

    operations = [
        migrations.AddField("alert", "kind", models.CharField(default="level", max_length=24)),
        migrations.AddField("alert", "subject", models.CharField(blank=True, default="", max_length=120)),
        migrations.AddField("alert", "facts", wallboard.queues.json_field.WholeJson(default=dict)),
        migrations.AddField("evaluationstate", "conditions", wallboard.queues.json_field.WholeJson(default=dict)),
        migrations.RunPython(name_subjects, migrations.RunPython.noop),
        migrations.RemoveConstraint("alert", "one_open_episode_per_queue"),
        migrations.AlterField(
            "alert",
            "queue",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="alerts",
                to="queues.queue",
            ),
        ),
        migrations.AddConstraint(
            "alert",
            models.UniqueConstraint(
                condition=models.Q(("ended_at__isnull", True)),
                fields=("domain", "kind", "subject"),
                name="one_open_alert_per_subject",
            ),
        ),
        migrations.CreateModel(
            "AlertEvent",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("what", models.CharField(choices=CHANGES, max_length=12)),
                ("at", models.DateTimeField()),
                ("level", models.CharField(choices=LEVELS, max_length=6)),
                ("handled_at", models.DateTimeField(blank=True, db_index=True, null=True)),
                (
                    "alert",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="events", to="alerts.alert"
                    ),
                ),
            ],
            options={"ordering": ["pk"]},
        ),
        migrations.CreateModel(
            "KindRule",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=24)),
                ("is_on", models.BooleanField(blank=True, null=True)),
                ("level", models.CharField(blank=True, choices=LEVELS, max_length=6)),
                ("stays_seconds", models.PositiveIntegerField(blank=True, null=True)),
                (
                    "domain",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="kind_rules", to="accounts.domain"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("domain", "kind"), name="one_alert_rule_per_kind"),
                ],
            },
        ),
    ]
