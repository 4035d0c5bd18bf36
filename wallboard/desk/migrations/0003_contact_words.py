import django.db.models.deletion
from django.db import migrations, models


def compare_bytes(apps, schema_editor):
    """Under most collations of PostgreSQL an index knows no beginnings of words; under C it does."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute('ALTER TABLE desk_contactword ALTER COLUMN word TYPE varchar(40) COLLATE "C"')


def fill(apps, schema_editor):
    from wallboard.contacts.search import index_words

    contact_word = apps.get_model("desk", "ContactWord")
    words_of = contact_word.objects.using(schema_editor.connection.alias)
    contacts = apps.get_model("desk", "Contact").objects.using(schema_editor.connection.alias)
    rows = []
    for contact in contacts.prefetch_related("numbers").iterator(1000):
        words = index_words(contact, [row.number for row in contact.numbers.all()])
        rows += [contact_word(domain_id=contact.domain_id, contact_id=contact.pk, word=word) for word in words]
        if len(rows) > 5000:
            words_of.bulk_create(rows)
            rows = []
    words_of.bulk_create(rows)


class Migration(migrations.Migration):

    dependencies = [
        ("accounts", "0001_initial"),
        ("desk", "0002_quiet"),
    ]

    operations = [
        migrations.CreateModel(
            name='ContactWord',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('word', models.CharField(max_length=40)),
                ('contact', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='words', to='desk.contact')),
                ('domain', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.domain')),
            ],
            options={
                'indexes': [
                    models.Index(fields=['domain', 'word', 'contact'], name='contact_by_word'),
                    models.Index(fields=['contact', 'word'], name='words_of_contact'),
                ],
            },
        ),
        migrations.RunPython(compare_bytes, migrations.RunPython.noop),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
