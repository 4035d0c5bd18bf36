import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0017_tells_calls")]

    operations = [
        migrations.CreateModel(
            name="Installation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("public_url", models.CharField(blank=True, default="", max_length=300)),
                ("previous_url", models.CharField(blank=True, default="", max_length=300)),
                ("key_hash", models.CharField(blank=True, default="", max_length=64)),
                ("key_until", models.DateTimeField(blank=True, null=True)),
                (
                    "key_user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.AddField(
            "passkey", "host", models.CharField(blank=True, db_default="", default="", max_length=253)
        ),
    ]
