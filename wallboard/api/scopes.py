"""What a token may be allowed, and how the page names it."""

from django.utils.translation import gettext_lazy as _

QUEUES, PEOPLE, CALLS, NUMBERS = "queues", "people", "calls", "numbers"
ALERTS, REPORTS, BOARDS = "alerts", "reports", "boards"
CONTACTS, WRITE_CONTACTS = "contacts", "contacts:write"
CALL_BACKS, NOTES = "call-backs", "notes"
CONFIGURATION = "configuration"
WRITE_CALL_BACKS, WRITE_NOTES = "call-backs:write", "notes:write"
SCOPES = {
    QUEUES: _("Queues: figures of now, and samples by the minute"),
    PEOPLE: _("People: whether they are free, ringing or on a call"),
    CALLS: _("Calls: live ones and the log, numbers masked"),
    NUMBERS: _("Numbers and names of callers, not masked"),
    ALERTS: _("Alerts"),
    REPORTS: _("Reports over days"),
    BOARDS: _("Boards"),
    CONTACTS: _("Contacts: read"),
    WRITE_CONTACTS: _("Contacts: add, change and remove"),
    CALL_BACKS: _("Call-backs"),
    WRITE_CALL_BACKS: _("Call-backs: take, leave, put off and finish"),
    NOTES: _("Notes on calls"),
    WRITE_NOTES: _("Notes on calls: write"),
    CONFIGURATION: _("Configuration of the company: read and set"),
}
