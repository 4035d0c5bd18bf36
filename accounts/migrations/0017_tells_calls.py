from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0016_replay_kept_days'),
    ]

    operations = [
        migrations.AddField(
            model_name='domain',
            name='tells_calls',
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
    ]
