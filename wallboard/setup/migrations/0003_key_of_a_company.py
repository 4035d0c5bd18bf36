import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0015_hosts_and_operators"), ("setup", "0002_first_key")]

    operations = [
        migrations.AddField(
            "firstkey",
            "domain",
            models.OneToOneField(
                blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, to="accounts.domain"
            ),
        ),
    ]
