from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("queues", "0002_hours")]

    operations = [
        migrations.AddField(model_name="queue", name="group", field=models.CharField(blank=True, max_length=60)),
    ]
