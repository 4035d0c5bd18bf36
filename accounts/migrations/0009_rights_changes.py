from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0008_clock"),
    ]

    operations = [
        migrations.CreateModel(
            name="RightsChange",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField(db_index=True)),
                ("user_id", models.BigIntegerField(null=True)),
                ("screen_id", models.BigIntegerField(null=True)),
                ("domain_id", models.BigIntegerField(null=True)),
                ("limited_only", models.BooleanField(default=False)),
            ],
        ),
    ]
