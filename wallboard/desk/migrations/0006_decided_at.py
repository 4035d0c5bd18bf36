from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("desk", "0005_note_by_call")]

    operations = [migrations.AddField("callback", "decided_at", models.DateTimeField(null=True))]
