from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("calls", "0012_deleted_calls"),
    ]

    operations = [
        migrations.AddField("leg", "is_begin_guessed", models.BooleanField(default=False, db_default=False)),
    ]
