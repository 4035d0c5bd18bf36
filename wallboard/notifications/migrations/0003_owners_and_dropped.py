"""Destinations of people belong to a sign-in; history outlives receivers; what nobody needs any more is dropped."""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def give_owners(apps: Any, schema_editor: Any) -> None:
    """What exists belongs to whoever has the person's sign-in now; without one nobody can say whose it is."""
    alias = schema_editor.connection.alias
    person = apps.get_model("accounts", "Person").objects.using(alias).filter(pk=models.OuterRef("person_id"))
    destinations = apps.get_model("notifications", "Destination").objects.using(alias).filter(person__isnull=False)
    destinations.update(user_id=models.Subquery(person.values("user_id")[:1]))


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0011_hidden_waits"),
        ("notifications", "0002_push_key"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='delivery',
            name='earlier',
            field=models.JSONField(db_default=[], default=list),
        ),
        migrations.AddField(
            model_name='destination',
            name='user',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AlterField(
            model_name='delivery',
            name='state',
            field=models.CharField(choices=[('waiting', 'waiting'), ('sent', 'sent'), ('given up', 'given up'), ('dropped', 'not needed any more')], default='waiting', max_length=8),
        ),
        migrations.AlterField(
            model_name='notice',
            name='destination',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='notifications.destination'),
        ),
        migrations.AlterField(
            model_name='notice',
            name='held_back',
            field=models.CharField(blank=True, choices=[('ended', 'was over before it was sent'), ('taken', 'somebody had acknowledged it'), ('hours', 'outside the hours of this person'), ('choice', 'this person does not want to hear of it'), ('limit', 'this person may not see it'), ('nowhere', 'nothing is set up to reach this person'), ('disabled', 'switched off'), ('muted', 'muted')], max_length=8),
        ),
        migrations.AlterField(
            model_name='notice',
            name='person',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='accounts.person'),
        ),
        migrations.RunPython(give_owners, migrations.RunPython.noop),
    ]
