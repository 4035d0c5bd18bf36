"""Books are read anew once: nobody knows by which country their numbers were read."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("contacts", "0002_address_books")]

    operations = [
        migrations.AddField(
            "syncedbook", "country", models.CharField(blank=True, db_default="", default="", max_length=2)
        ),
    ]
