"""Every address of the site; each room keeps its own list."""

from django.contrib import admin
from django.templatetags.static import static
from django.urls import include, path
from django.utils.functional import lazy
from django.views.generic import RedirectView

import accounts.urls
from wallboard import health
from wallboard.calls.views import link_number

urlpatterns = [
    path("healthz", health.healthz),
    path("readyz", health.readyz),
    path("metrics", health.metrics),
    # For answers that name no icon, such as JSON.
    path("favicon.ico", RedirectView.as_view(url=lazy(static, str)("icons/touch-180.png"))),
    path("admin/", admin.site.urls),
    # Before the addresses of accounts, which cannot know which numbers are queues.
    path("accounts/link/number/", link_number.number),
    path("accounts/", include("accounts.urls")),
    path("hooks/", include("wallboard.calls.webhooks.urls")),
    path("desk/contacts/books/", include("wallboard.carddav.urls")),
    path("desk/contacts/", include("wallboard.contacts.urls")),
    path("desk/", include("wallboard.desk.urls")),
    path("alerts/", include("wallboard.alerts.urls")),
    path("", include("wallboard.notifications.urls")),
    path("", include("wallboard.reports.urls")),
    path("", include("wallboard.outgoing.urls")),
    path("reports/", include("wallboard.forecast.urls")),
    path("", include("wallboard.calibration.urls")),
    path("setup/privacy/", include("wallboard.privacy.urls")),
    path("", include("wallboard.queues.urls")),
    path("", include("wallboard.calls.urls")),
    path("", include((accounts.urls.team_patterns, "teams"))),
    path("", include((accounts.urls.company_patterns, "companies"))),
    path("", include("wallboard.screens.urls")),
    path("", include("wallboard.setup.urls")),
    path("", include("wallboard.configuration.urls")),
    path("", include("wallboard.api.urls")),
    path("", include("wallboard.replay.urls")),
    path("", include("wallboard.boards.urls")),
]
