from django.db import migrations, models

import accounts.validators


class Migration(migrations.Migration):
    dependencies = [("accounts", "0014_language")]

    operations = [
        migrations.AddField(
            "domain",
            "host",
            models.CharField(
                blank=True, max_length=253, null=True, unique=True, validators=[accounts.validators.host_name]
            ),
        ),
        migrations.AddField("domain", "removal_at", models.DateTimeField(blank=True, editable=False, null=True)),
        migrations.AddField(
            "user", "is_operator", models.BooleanField(db_default=False, default=False, editable=False)
        ),
    ]
