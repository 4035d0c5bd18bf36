import accounts.validators
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0013_passkey'),
    ]

    operations = [
        migrations.AddField(
            model_name='domain',
            name='language',
            field=models.CharField(blank=True, db_default='', default='', max_length=16, validators=[accounts.validators.language]),
        ),
        migrations.AddField(
            model_name='user',
            name='language',
            field=models.CharField(blank=True, db_default='', default='', editable=False, max_length=16),
        ),
    ]
