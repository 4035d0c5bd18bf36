"""Sums of the queues that a limit lets somebody see, and the limits that reports are asked for with."""

import django.db.models.deletion
from django.db import migrations, models

import wallboard.queues.json_field


class Migration(migrations.Migration):
    dependencies = [("accounts", "0019_kept_days"), ("reports", "0005_sums_of_days")]

    operations = [
        migrations.AddField(
            model_name="queuecallday",
            name="sets_stamp",
            field=models.CharField(blank=True, db_default="", default="", max_length=32),
        ),
        migrations.CreateModel(
            name="AskedLimit",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=32)),
                ("queues", wallboard.queues.json_field.WholeJson(null=True)),
                ("people", wallboard.queues.json_field.WholeJson(null=True)),
                ("asked_on", models.DateField()),
                (
                    "domain",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.domain"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("domain", "key"), name="one_asked_limit")],
            },
        ),
    ]
