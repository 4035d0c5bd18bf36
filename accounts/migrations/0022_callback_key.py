from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0021_masked_searches")]

    operations = [
        # Empty for companies that there are: their redirect address is registered at the provider.
        migrations.AddField(
            "domain",
            "callback_key",
            models.CharField(blank=True, db_default="", default="", editable=False, max_length=32),
        ),
    ]
