from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("calls", "0011_fewer_leg_indexes"),
    ]

    operations = [
        migrations.AddField("forgetting", "deleted_until", models.DateTimeField(null=True)),
    ]
