from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("boards", "0004_rotations")]

    operations = [
        migrations.AddField(model_name="board", name="time_zone", field=models.CharField(blank=True, max_length=64)),
    ]
