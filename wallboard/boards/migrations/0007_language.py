import accounts.validators
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('boards', '0006_models_moved'),
    ]

    operations = [
        migrations.AddField(
            model_name='board',
            name='language',
            field=models.CharField(blank=True, db_default='', default='', max_length=16, validators=[accounts.validators.language]),
        ),
    ]
