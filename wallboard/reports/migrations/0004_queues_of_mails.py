import wallboard.queues.json_field
from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('reports', '0003_day_figures'),
    ]

    operations = [
        migrations.AddField(
            model_name='reportmail',
            name='queues',
            field=wallboard.queues.json_field.WholeJson(default=list),
        ),
    ]
