import django.db.models.deletion
from django.db import migrations, models

THEMES = [
    ("dark", "dark"),
    ("light", "light"),
    ("system", "as the device"),
    ("contrast", "high contrast"),
    ("calm-dark", "calm, dark"),
    ("calm-light", "calm, light"),
]
DIRECTIONS = [("", "as the language reads"), ("ltr", "left to right"), ("rtl", "right to left")]


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial"), ("boards", "0002_drafts_and_images")]

    operations = [
        migrations.AlterField(
            model_name="board",
            name="theme",
            field=models.CharField(choices=THEMES, default="system", max_length=10),
        ),
        migrations.CreateModel(
            name="Brand",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("colour", models.CharField(blank=True, max_length=7)),
                ("direction", models.CharField(blank=True, choices=DIRECTIONS, max_length=3)),
                (
                    "domain",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="brand", to="accounts.domain"
                    ),
                ),
                (
                    "logo",
                    models.ForeignKey(
                        blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to="boards.image"
                    ),
                ),
            ],
        ),
    ]
