"""These models lay in `desk` before; their tables stay as they are and keep their names."""

import django.db.models.deletion
from django.db import migrations, models
from wallboard.moved_models import content_types_moved


class Migration(migrations.Migration):
    dependencies = [('contenttypes', '0002_remove_content_type_name'), ('accounts', '0005_known_addresses'), ('desk', '0003_contact_words')]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name='Contact',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('name', models.CharField(max_length=120)),
                        ('company', models.CharField(blank=True, max_length=120)),
                        ('email', models.CharField(blank=True, max_length=200)),
                        ('changed_at', models.DateTimeField(auto_now=True)),
                        ('domain', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='contacts', to='accounts.domain')),
                    ],
                    options={
                        'db_table': 'desk_contact',
                    },
                ),
                migrations.CreateModel(
                    name='ContactNumber',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('number', models.CharField(max_length=200)),
                        ('contact', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='numbers', to='contacts.contact')),
                        ('domain', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.domain')),
                    ],
                    options={
                        'db_table': 'desk_contactnumber',
                    },
                ),
                migrations.CreateModel(
                    name='ContactWord',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('word', models.CharField(max_length=40)),
                        ('contact', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='words', to='contacts.contact')),
                        ('domain', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.domain')),
                    ],
                    options={
                        'db_table': 'desk_contactword',
                    },
                ),
                migrations.CreateModel(
                    name='Import',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('file_name', models.CharField(max_length=200)),
                        ('text', models.TextField(blank=True)),
                        ('delimiter', models.CharField(max_length=1)),
                        ('has_header', models.BooleanField(default=True)),
                        ('columns', models.JSONField(default=list)),
                        ('skips_bad', models.BooleanField(default=False)),
                        ('state', models.CharField(choices=[('new', 'to be looked at'), ('queued', 'about to begin'), ('running', 'being read'), ('faulty', 'has bad lines'), ('done', 'done')], default='new', max_length=7)),
                        ('lines', models.PositiveIntegerField(default=0)),
                        ('lines_read', models.PositiveIntegerField(default=0)),
                        ('bad', models.PositiveIntegerField(default=0)),
                        ('errors', models.JSONField(default=list)),
                        ('added', models.PositiveIntegerField(default=0)),
                        ('changed', models.PositiveIntegerField(default=0)),
                        ('made_at', models.DateTimeField(auto_now_add=True)),
                        ('heard_at', models.DateTimeField(auto_now_add=True)),
                        ('domain', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='imports', to='accounts.domain')),
                        ('person', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='accounts.person')),
                    ],
                    options={
                        'db_table': 'desk_import',
                    },
                ),
                migrations.CreateModel(
                    name='Link',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('name', models.CharField(max_length=40)),
                        ('template', models.CharField(max_length=1000)),
                        ('order', models.PositiveSmallIntegerField(default=0)),
                        ('domain', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='links', to='accounts.domain')),
                    ],
                    options={
                        'db_table': 'desk_link',
                        'ordering': ['domain', 'order', 'name'],
                    },
                ),
                migrations.CreateModel(
                    name='LinkHost',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('host', models.CharField(help_text='As in crm.example.com; no https://, no path.', max_length=200)),
                        ('domain', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='link_hosts', to='accounts.domain')),
                    ],
                    options={
                        'db_table': 'desk_linkhost',
                    },
                ),
                migrations.AddIndex(
                    model_name='contact',
                    index=models.Index(fields=['domain', 'name'], name='desk_contac_domain__1dc7db_idx'),
                ),
                migrations.AddIndex(
                    model_name='contactnumber',
                    index=models.Index(fields=['domain', 'number'], name='contact_by_number'),
                ),
                migrations.AddConstraint(
                    model_name='contactnumber',
                    constraint=models.UniqueConstraint(fields=('contact', 'number'), name='one_number_once_per_contact'),
                ),
                migrations.AddIndex(
                    model_name='contactword',
                    index=models.Index(fields=['domain', 'word', 'contact'], name='contact_by_word'),
                ),
                migrations.AddIndex(
                    model_name='contactword',
                    index=models.Index(fields=['contact', 'word'], name='words_of_contact'),
                ),
                migrations.AddConstraint(
                    model_name='linkhost',
                    constraint=models.UniqueConstraint(fields=('domain', 'host'), name='one_link_host'),
                ),
            ]
        ),
        content_types_moved("desk", "contacts", ['contact', 'contactnumber', 'contactword', 'import', 'linkhost', 'link']),
    ]
