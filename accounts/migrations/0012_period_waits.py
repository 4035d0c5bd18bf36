from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0011_hidden_waits")]

    operations = [
        migrations.AddField(
            "domain",
            "period_waits",
            models.CharField(blank=True, db_default="", default="", editable=False, max_length=32),
        ),
    ]
