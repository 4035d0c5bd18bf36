"""The part of covered.py that is about programs outside, and what is carried between companies."""

COVERED_OF_PROGRAMS = {
    "accounts/spreading": (
        "inline phases",
        "queues/rounds/test_polls.py calls/subscriptions/test_rounds.py",
    ),
    "accounts/statements": (
        "bulk_rows lost planned",
        "calls/test_bulk_rows.py queues/rounds/test_poll_rows.py queues/rounds/test_polls.py",
    ),
    "outgoing": ("documents endpoints forms kinds views", "outgoing/test_calls_told.py outgoing/test_webhook_pages.py"),
    "carddav": (
        "answers books erased forms storing views",
        "carddav/test_syncing.py carddav/test_client.py carddav/test_book_pages.py",
    ),
    "configuration": (
        "comparing document exporting places setters shown_setters views",
        "configuration/test_importing.py configuration/test_configuration_ways.py",
    ),
    "outgoing/deciding": ("call_backs call_changes days events following", "outgoing/test_calls_told.py"),
    "outgoing/sending": ("deliveries pool", "outgoing/test_calls_told.py"),
    "api": (
        "callers catalogue endpoints figures forms moments pacing paging parsing problems scopes",
        "api/test_tokens.py api/test_answering.py api/test_resources.py api/test_openapi.py",
    ),
    "api/resources": (
        "alerts boards call_backs calls configuration contacts notes people queues reports today",
        "api/test_resources.py api/test_today.py api/test_writing.py configuration/test_configuration_ways.py",
    ),
    "api/streams": ("access asgi_endpoint consumers events", "api/test_live.py api/test_live_flow.py"),
    "api/views": ("rest tokens", "api/test_tokens.py api/test_answering.py api/test_openapi.py"),
}
