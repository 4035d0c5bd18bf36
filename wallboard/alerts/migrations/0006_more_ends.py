from django.db import migrations, models

ENDED = [
    ("normal", "normal again"),
    ("worse", "got worse after it was acknowledged"),
    ("closed", "business hours ended"),
    ("hidden", "the queue was hidden"),
    ("off", "the rule was switched off"),
    ("few", "too few calls to judge"),
    ("locked", "the figure cannot be told any more"),
]


class Migration(migrations.Migration):
    dependencies = [("alerts", "0005_longer_reasons")]

    operations = [
        migrations.AlterField("alert", "ended_why", models.CharField(blank=True, choices=ENDED, max_length=6)),
    ]
