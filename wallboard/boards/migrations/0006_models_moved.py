"""Screens, rotations and the company's look lie in rooms of their own now; no table changes."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("boards", "0005_board_time_zone"), ("screens", "0001_initial"), ("setup", "0001_initial")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.DeleteModel(name) for name in ("Pairing", "Screen", "Step", "Rotation", "Brand")
            ]
        )
    ]
