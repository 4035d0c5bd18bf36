"""Addresses that were there before go on as they are; those added from now on are confirmed by whoever reads them."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("notifications", "0003_owners_and_dropped")]

    operations = [
        migrations.AddField("destination", "is_confirmed", models.BooleanField(default=True)),
        migrations.AlterField(
            "notice",
            "held_back",
            models.CharField(
                blank=True,
                choices=[
                    ("ended", "was over before it was sent"),
                    ("taken", "somebody had acknowledged it"),
                    ("hours", "outside the hours of this person"),
                    ("choice", "this person does not want to hear of it"),
                    ("limit", "this person may not see it"),
                    ("nowhere", "nothing is set up to reach this person"),
                    ("disabled", "switched off"),
                    ("muted", "muted"),
                    ("unproven", "its address is not confirmed yet"),
                ],
                max_length=8,
            ),
        ),
    ]
