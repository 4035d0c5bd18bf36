"""Who called with calls of several queues, and who called again on a day, kept apart from what these calls come to."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("reports", "0006_limits_of_reports")]

    operations = [
        migrations.AddField(
            model_name="queuecallday",
            name="has_again",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="queuecallsum",
            name="again",
            field=models.BinaryField(db_default=b"", default=b""),
        ),
        migrations.AddField(
            model_name="queuecallsum",
            name="callers",
            field=models.BinaryField(db_default=b"", default=b""),
        ),
    ]
