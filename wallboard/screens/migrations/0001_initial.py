"""These models lay in `boards` before; their tables stay as they are and keep their names."""

import django.db.models.deletion
import wallboard.queues.json_field
from django.db import migrations, models
from wallboard.moved_models import content_types_moved


class Migration(migrations.Migration):
    dependencies = [('contenttypes', '0002_remove_content_type_name'), ('accounts', '0005_known_addresses'), ('boards', '0005_board_time_zone')]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name='Rotation',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('name', models.CharField(max_length=120)),
                        ('domain', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rotations', to='accounts.domain')),
                    ],
                    options={
                        'db_table': 'boards_rotation',
                        'ordering': ['name', 'pk'],
                    },
                ),
                migrations.CreateModel(
                    name='Screen',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('has_sound', models.BooleanField(default=False)),
                        ('shows_numbers', models.BooleanField(default=False)),
                        ('name', models.CharField(max_length=120)),
                        ('token_hash', models.CharField(max_length=64, unique=True)),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                        ('seen_at', models.DateTimeField(blank=True, null=True)),
                        ('revoked_at', models.DateTimeField(blank=True, null=True)),
                        ('engine', models.CharField(blank=True, max_length=200)),
                        ('report', wallboard.queues.json_field.WholeJson(default=dict)),
                        ('board', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='screens', to='boards.board')),
                        ('created_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to='accounts.person')),
                        ('domain', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='screens', to='accounts.domain')),
                        ('rotation', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='screens', to='screens.rotation')),
                    ],
                    options={
                        'db_table': 'boards_screen',
                    },
                ),
                migrations.CreateModel(
                    name='Pairing',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('code', models.CharField(max_length=12, unique=True)),
                        ('device_hash', models.CharField(max_length=64, unique=True)),
                        ('until', models.DateTimeField()),
                        ('screen', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, to='screens.screen')),
                    ],
                    options={
                        'db_table': 'boards_pairing',
                    },
                ),
                migrations.CreateModel(
                    name='Step',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('place', models.PositiveSmallIntegerField()),
                        ('seconds', models.PositiveIntegerField()),
                        ('board', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='steps', to='boards.board')),
                        ('rotation', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='steps', to='screens.rotation')),
                    ],
                    options={
                        'db_table': 'boards_step',
                        'ordering': ['place', 'pk'],
                    },
                ),
            ]
        ),
        content_types_moved("boards", "screens", ['rotation', 'step', 'screen', 'pairing']),
    ]
