from django.db import migrations
from django.db.utils import Error

# What log/newest.py asks for. Legs that are over: while a call goes on, its leg is written again and again.
WORDS = "from_name || ' ' || to_name || ' ' || from_number || ' ' || to_number || ' ' || caller_e164"
WORDS += " || ' ' || from_user || ' ' || to_user || ' ' || queue || ' '"


def index_words(apps, schema_editor):
    """Where the database lacks pg_trgm and lets us not add it, the search reads the legs, as before."""
    if schema_editor.connection.vendor != "postgresql":
        return
    with schema_editor.connection.cursor() as cursor:
        try:
            cursor.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
        except Error:
            return
        cursor.execute("SET statement_timeout = 0")
        try:
            # What a migration that was cut off left behind is no index.
            cursor.execute("DROP INDEX CONCURRENTLY IF EXISTS legs_by_words")
            cursor.execute(
                "CREATE INDEX CONCURRENTLY legs_by_words ON calls_leg"
                f" USING gin (upper({WORDS}) gin_trgm_ops) WHERE ended_at IS NOT NULL"
            )
        finally:
            cursor.execute("RESET statement_timeout")


def drop(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP INDEX IF EXISTS legs_by_words")


class Migration(migrations.Migration):

    atomic = False  # an index of many calls is made while others write

    dependencies = [
        ("calls", "0009_changed_legs"),
    ]

    operations = [
        migrations.RunPython(index_words, drop),
    ]
