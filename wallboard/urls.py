"""Every address of the site; each room keeps its own list."""

from django.contrib import admin
from django.urls import include, path

from wallboard import health
from wallboard.calls import link_views

urlpatterns = [
    path("healthz", health.healthz),
    path("readyz", health.readyz),
    path("metrics", health.metrics),
    path("admin/", admin.site.urls),
    path("accounts/link/number/", link_views.number),
    path("accounts/", include("accounts.urls")),
    path("hooks/", include("wallboard.calls.urls")),
    path("desk/", include("wallboard.desk.urls")),
    path("alerts/", include("wallboard.alerts.urls")),
    path("", include("wallboard.boards.urls")),
]
