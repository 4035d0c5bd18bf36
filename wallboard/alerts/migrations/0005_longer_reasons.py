"""Failures of the provider have longer names than a reason had room for."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("alerts", "0004_kinds")]

    operations = [
        migrations.AlterField(
            model_name="alert",
            name="reason",
            field=models.CharField(blank=True, max_length=32),
        ),
    ]
