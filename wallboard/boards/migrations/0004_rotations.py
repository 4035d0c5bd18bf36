import django.db.models.deletion
from django.db import migrations, models

import wallboard.queues.json_field


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial"), ("boards", "0003_looks")]

    operations = [
        migrations.CreateModel(
            name="Rotation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=120)),
                (
                    "domain",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="rotations", to="accounts.domain"
                    ),
                ),
            ],
            options={"ordering": ["name", "pk"]},
        ),
        migrations.CreateModel(
            name="Step",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("place", models.PositiveSmallIntegerField()),
                ("seconds", models.PositiveIntegerField()),
                (
                    "board",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="steps", to="boards.board"
                    ),
                ),
                (
                    "rotation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="steps", to="boards.rotation"
                    ),
                ),
            ],
            options={"ordering": ["place", "pk"]},
        ),
        migrations.AddField(
            model_name="screen",
            name="rotation",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="screens",
                to="boards.rotation",
            ),
        ),
        migrations.AddField(model_name="screen", name="has_sound", field=models.BooleanField(default=False)),
        migrations.AddField(model_name="screen", name="shows_numbers", field=models.BooleanField(default=False)),
        migrations.AddField(model_name="screen", name="report", field=wallboard.queues.json_field.WholeJson(default=dict)),
    ]
