"""Notes are looked for by their call whenever callers are forgotten."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("desk", "0004_models_moved")]

    operations = [
        migrations.AddIndex("note", models.Index(fields=["domain", "call_id"], name="note_by_call")),
    ]
