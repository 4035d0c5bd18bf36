"""Notices know the route by which somebody hears of an alert, whatever it is called later.

Without a constraint, since the release before goes on removing routes and knows nothing of this column.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('notifications', '0005_masked_mailboxes'),
    ]

    operations = [
        migrations.AddField(
            model_name='notice',
            name='route',
            field=models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='notifications.route'),
        ),
    ]
