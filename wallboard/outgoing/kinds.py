"""What other programs are told of, and how the page names it."""

from django.utils.translation import gettext_lazy as _

RINGING, ANSWERED, ENDED, MISSED = "call.ringing", "call.answered", "call.ended", "call.missed"
ASKED, TAKEN, DONE = "call_back.asked", "call_back.taken", "call_back.done"
DAY_ENDED, TEST = "day.ended", "test"
OF_CALLS = frozenset({RINGING, ANSWERED, ENDED, MISSED})
OF_CALL_BACKS = frozenset({ASKED, TAKEN, DONE})
KINDS = {
    RINGING: _("A call rings or waits in a queue"),
    ANSWERED: _("A call is answered"),
    ENDED: _("A call has ended"),
    MISSED: _("A caller left without an answer"),
    ASKED: _("A caller waits to be called back"),
    TAKEN: _("Somebody takes a call-back"),
    DONE: _("A call-back is done"),
    DAY_ENDED: _("A day is over: its figures"),
}
