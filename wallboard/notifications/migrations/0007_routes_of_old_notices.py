"""Notices from before they knew their route knew its name."""

from typing import Any

from django.db import migrations


def find_routes(apps: Any, schema_editor: Any) -> None:
    """Where one route alone has that name; only of alerts that are open, since of others nothing more is told."""
    alias = schema_editor.connection.alias
    notices = apps.get_model("notifications", "Notice").objects.using(alias)
    notices = notices.filter(route=None, alert__ended_at=None).exclude(route_name="")
    routes = apps.get_model("notifications", "Route").objects.using(alias)
    for domain, name in set(notices.values_list("domain", "route_name")):
        found = list(routes.filter(domain=domain, name=name)[:2])
        if len(found) == 1:
            notices.filter(domain=domain, route_name=name).update(route=found[0])


class Migration(migrations.Migration):
    dependencies = [("notifications", "0006_routes_of_notices")]
    atomic = False  # each name by itself

    operations = [migrations.RunPython(find_routes, migrations.RunPython.noop)]
