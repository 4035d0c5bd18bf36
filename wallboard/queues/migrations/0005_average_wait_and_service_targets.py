import django.core.validators
from django.db import migrations, models


def seconds():
    return models.PositiveIntegerField(blank=True, null=True)


def percent():
    return models.PositiveIntegerField(
        blank=True, null=True, validators=[django.core.validators.MaxValueValidator(100)]
    )


class Migration(migrations.Migration):
    dependencies = [("queues", "0004_raw_readings")]

    operations = [
        migrations.AddField("target", "average_wait_watch_seconds", seconds()),
        migrations.AddField("target", "average_wait_late_seconds", seconds()),
        migrations.AddField("target", "service_watch_below", percent()),
        migrations.AddField("target", "service_late_below", percent()),
    ]
