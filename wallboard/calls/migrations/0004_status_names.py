"""What people set for themselves is their status in code; no column changes."""

from django.db import migrations, models

NAMES = {
    "told_name": "published_name",
    "said": "status",
    "said_note": "status_note",
    "said_since": "status_since",
    "said_until": "status_until",
}
STATUSES = [
    (each, each or "nothing") for each in ("", "away", "break", "lunch", "meeting", "training", "busy")
]
FIELDS = {
    "told_name": models.CharField(max_length=200, blank=True, db_column="told_name"),
    "said": models.CharField(max_length=8, choices=STATUSES, blank=True, default="", db_column="said"),
    "said_note": models.CharField(max_length=60, blank=True, default="", db_column="said_note"),
    "said_since": models.DateTimeField(null=True, blank=True, db_column="said_since"),
    "said_until": models.DateTimeField(null=True, blank=True, db_column="said_until"),
}


class Migration(migrations.Migration):
    dependencies = [("calls", "0003_forgetting")]

    operations = [
        *(migrations.AlterField("presence", name, field) for name, field in FIELDS.items()),
        *(migrations.RenameField("presence", before, after) for before, after in NAMES.items()),
    ]
