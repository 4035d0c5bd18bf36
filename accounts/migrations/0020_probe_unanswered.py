from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0019_kept_days")]

    operations = [
        migrations.AddField("grant", "is_probe_unanswered", models.BooleanField(default=False, db_default=False)),
    ]
