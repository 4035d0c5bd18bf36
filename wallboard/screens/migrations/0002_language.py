from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('screens', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='screen',
            name='language',
            field=models.CharField(blank=True, db_default='', default='', max_length=16),
        ),
    ]
