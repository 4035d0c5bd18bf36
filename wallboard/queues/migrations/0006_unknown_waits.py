from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("queues", "0005_average_wait_and_service_targets")]

    operations = [migrations.AlterField("sample", "longest_wait_seconds", models.PositiveIntegerField(null=True))]
