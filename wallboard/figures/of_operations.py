"""Figures about the installation itself: connection, TVs, messages, what it stores, what calibration saw."""

from django.utils.translation import gettext_lazy as _

from wallboard.figures.figure import Figure, Kind, Text
from wallboard.figures.phrases import COUNT, LISTED, NOW, OWN, PERIOD, TIME


def _own(name: Text, formula: Text, window: Text = NOW, unit: Text = COUNT) -> Figure:
    return Figure(name, Kind.MEASURED, formula, window, unit, OWN)


FIGURES = {
    "setup.check": _own(
        _("How the connection stands"),
        _("What this installation noted when it asked the provider last, and what the provider posted."),
        _("now; counts of a day say so"),
        _("as beside each"),
    ),
    "screens.fact": _own(
        _("What a TV tells"), _("As its page told it last, every few seconds."), NOW, _("as beside each")
    ),
    "messages.count": _own(_("Messages"), _("Messages about this alert, one for each try to reach somebody."), LISTED),
    "responses.raised": _own(_("Alerts"), _("Alerts that were raised in these days."), PERIOD),
    "responses.acknowledged": _own(_("Acknowledged"), _("Those that somebody acknowledged."), PERIOD),
    "responses.reaction": _own(
        _("Until acknowledged"), _("Median of the time from raising to acknowledging, of those."), PERIOD, TIME
    ),
    "responses.lasted": _own(
        _("Until over"), _("Median of the time from raising to the end, of those that are over."), PERIOD, TIME
    ),
    "accounts.waiting": _own(
        _("Waiting to be linked"), _("Since they signed in at the provider."), NOW, _("minutes, hours or days")
    ),
    "accounts.sign_in": _own(
        _("Sign-in ends"), _("Until the provider's permission ends if nobody signs in before."), NOW, _("days")
    ),
    "privacy.count": _own(
        _("What is stored"), _("Rows that hold this number, and what erasing changed."), _("all that is stored")
    ),
    "imports.count": _own(_("Lines of the file"), _("Lines that were read, taken over or left out."), _("this file")),
    "books.count": _own(
        _("Contacts of an address book"),
        _("Contacts that came from it, its entries, and those of them without a number."),
        _("when it was read last"),
    ),
    "calibration.evidence": _own(
        _("Evidence"),
        _("Observations that agree with the answer and those that do not, as docs/calibration.md counts them."),
        _("since the question was asked first, or was contradicted last"),
        _("observations"),
    ),
    "calibration.picture": _own(
        _("The provider's waits"),
        _("The longest wait as the provider tells it, whatever it means, above the callers waiting."),
        _("the times that stand below the picture"),
        _("the provider's unit; callers"),
    ),
}
