"""Contacts and links lie in a room of their own now; no table changes."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("desk", "0003_contact_words"), ("contacts", "0001_initial")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    "note",
                    "contact",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="notes",
                        to="contacts.contact",
                    ),
                ),
                migrations.AlterField(
                    "rule",
                    "opens",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="contacts.link"
                    ),
                ),
                *(
                    migrations.DeleteModel(name)
                    for name in ("ContactNumber", "ContactWord", "Import", "LinkHost", "Link", "Contact")
                ),
            ]
        )
    ]
