"""The release that runs out there while a new one is made: its commit, and its last migration of each app.

Raised with each release. Migrations after these are looked at by tests/harness/migrations.py, and
tests/flows/test_side_by_side.py starts the program of that commit beside the present one.
"""

COMMIT = "b700920bdec08b0db11b519538caf546b98ed09a"
MIGRATIONS = {
    "accounts": "0012_period_waits",
    "alerts": "0006_more_ends",
    "boards": "0006_models_moved",
    "calibration": "0002_runs",
    "calls": "0008_overdue",
    "contacts": "0001_initial",
    "desk": "0005_note_by_call",
    "forecast": "0002_forecasts_as_made",
    "notifications": "0005_masked_mailboxes",
    "privacy": "0001_erasures",
    "queues": "0006_unknown_waits",
    "reports": "0001_service_level",
    "screens": "0001_initial",
    "setup": "0002_first_key",
}
