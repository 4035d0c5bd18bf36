from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [('setup', '0001_initial')]

    operations = [
        migrations.CreateModel(
            name='FirstKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key_hash', models.CharField(max_length=64)),
                ('until', models.DateTimeField()),
            ],
        ),
    ]
