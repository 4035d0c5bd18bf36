import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0015_hosts_and_operators"), ("screens", "0002_language")]

    operations = [
        migrations.AddField(
            "pairing",
            "domain",
            models.ForeignKey(
                blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, to="accounts.domain"
            ),
        ),
    ]
