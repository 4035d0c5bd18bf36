from django.db import migrations

from wallboard.queues.json_field import WholeJson


class Migration(migrations.Migration):
    dependencies = [("calibration", "0001_initial")]

    operations = [migrations.AddField("finding", "runs", WholeJson(null=True))]
