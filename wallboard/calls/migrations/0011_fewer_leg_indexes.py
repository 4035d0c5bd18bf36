import django.db.models.deletion
from django.db import migrations, models

# Of 100; the rest of each page is for legs that are written again, as each is three or four times.
FILLED = 80
LIVE = models.Index(fields=["domain"], condition=models.Q(ended_at__isnull=True), name="live_legs_by_domain")
# The first has what changes while a call goes on; of the others each begins another index.
OLD = [
    models.Index(fields=["domain", "heard_at"], condition=models.Q(ended_at__isnull=True), name="live_legs"),
    models.Index(fields=["domain", "from_call_id"], name="calls_leg_domain__a188dc_idx"),
    models.Index(fields=["domain"], name="calls_leg_domain_id_fb4332fd"),
]


def replace(apps, schema_editor, new, old):
    """While others write, and again from the start where it was cut off."""
    leg, connection = apps.get_model("calls", "Leg"), schema_editor.connection
    is_postgres = connection.vendor == "postgresql"
    beside = {"concurrently": True} if is_postgres else {}
    drop = "DROP INDEX CONCURRENTLY IF EXISTS" if is_postgres else "DROP INDEX IF EXISTS"
    with connection.cursor() as cursor:
        if is_postgres:
            cursor.execute("SET statement_timeout = 0")
        try:
            for index in new:
                # What a migration that was cut off left behind is no index.
                cursor.execute(f"{drop} {index.name}")
                schema_editor.add_index(leg, index, **beside)
            for index in old:
                cursor.execute(f"{drop} {index.name}")
        finally:
            if is_postgres:
                cursor.execute("RESET statement_timeout")


def forwards(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(f"ALTER TABLE calls_leg SET (fillfactor = {FILLED})")
    replace(apps, schema_editor, [LIVE], OLD)


def backwards(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("ALTER TABLE calls_leg RESET (fillfactor)")
    replace(apps, schema_editor, OLD, [LIVE])


class Migration(migrations.Migration):

    atomic = False  # indexes of many calls are made while others write

    dependencies = [
        ("calls", "0010_legs_by_words"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunPython(forwards, backwards)],
            state_operations=[
                migrations.AddIndex("leg", LIVE),
                migrations.RemoveIndex("leg", "live_legs"),
                migrations.RemoveIndex("leg", "calls_leg_domain__a188dc_idx"),
                migrations.AlterField(
                    "leg",
                    "domain",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="legs",
                        to="accounts.domain",
                    ),
                ),
            ],
        ),
    ]
