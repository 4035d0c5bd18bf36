"""These models lay in `boards` before; their tables stay as they are and keep their names."""

import django.db.models.deletion
from django.db import migrations, models
from wallboard.moved_models import content_types_moved


class Migration(migrations.Migration):
    dependencies = [('contenttypes', '0002_remove_content_type_name'), ('accounts', '0005_known_addresses'), ('boards', '0005_board_time_zone')]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name='Brand',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('colour', models.CharField(blank=True, max_length=7)),
                        ('direction', models.CharField(blank=True, choices=[('', 'as the language reads'), ('ltr', 'left to right'), ('rtl', 'right to left')], max_length=3)),
                        ('domain', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='brand', to='accounts.domain')),
                        ('logo', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to='boards.image')),
                    ],
                    options={
                        'db_table': 'boards_brand',
                    },
                ),
            ]
        ),
        content_types_moved("boards", "setup", ['brand']),
    ]
