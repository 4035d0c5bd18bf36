"""When a status ended of somebody who has not been heard since."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("calls", "0007_event_gaps")]

    operations = [migrations.AddField("presence", "overdue_since", models.DateTimeField(blank=True, null=True))]
