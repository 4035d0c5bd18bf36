"""Subscriptions, calls and deliveries in the Django admin: to look at, with two actions. Secrets are never shown."""

from django.contrib import admin, messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from wallboard.calls import subscriptions
from wallboard.calls.models import Delivery, Leg, Record, Subscription


class LookAt(admin.ModelAdmin):  # type: ignore[type-arg]
    """Rows that only the provider's messages write."""

    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Subscription)
class SubscriptionAdmin(LookAt):
    """How the provider reaches us. The actions only plan; the worker does it within seconds."""

    list_display = ("domain", "kind", "state", "provider_id", "expires_at", "checked_at", "heard_at", "failure")
    list_filter = ("domain", "kind", "state")
    exclude = ("secret", "secret_hash", "request_body")
    actions = ("check_now", "rotate_address")

    def has_manage_permission(self, request: HttpRequest) -> bool:
        """Who may use the actions: whoever may change subscriptions, though nobody edits them here."""
        return request.user.has_perm("calls.change_subscription")

    @admin.action(description=_("Check now"), permissions=["manage"])
    def check_now(self, request: HttpRequest, chosen: QuerySet[Subscription]) -> None:
        for domain in {row.domain for row in chosen.select_related("domain")}:
            subscriptions.check_now(domain)
        messages.success(request, _("They are checked within seconds."))

    @admin.action(description=_("Replace the secret address"), permissions=["manage"])
    def rotate_address(self, request: HttpRequest, chosen: QuerySet[Subscription]) -> None:
        wanted = {(row.domain, row.kind) for row in chosen.select_related("domain")}
        begun = [row for domain, kind in sorted(wanted, key=str) if (row := subscriptions.rotate(domain, kind))]
        told = ngettext(
            "%d new address is being set up; the old one goes when it works.",
            "%d new addresses are being set up; the old ones go when they work.",
            len(begun),
        )
        messages.success(request, told % len(begun))


@admin.register(Leg)
class LegAdmin(LookAt):
    """Call legs as merged from deliveries."""

    list_display = ("first_seen_at", "domain", "from_number", "from_user", "to_number", "to_user", "to_state", "queue")
    list_filter = ("domain", "to_state", "is_unconfirmed", "first_seen_at")
    search_fields = ("=from_call_id", "=to_call_id", "=caller_e164", "=from_user", "=to_user")
    ordering = ("-first_seen_at",)


@admin.register(Record)
class RecordAdmin(LookAt):
    """Call detail records as sent."""

    list_display = ("started_at", "domain", "from_number", "from_user", "to_number", "to_user", "duration_seconds")
    list_filter = ("domain", "started_at")
    search_fields = ("=from_call_id", "=to_call_id", "=from_number", "=to_number", "=from_user", "=to_user")
    ordering = ("-started_at",)


@admin.register(Delivery)
class DeliveryAdmin(LookAt):
    """What came in, word for word, for looking into a fault."""

    list_display = ("received_at", "subscription", "applied_at", "problem")
    list_filter = ("problem", "received_at", "subscription__domain")
    list_select_related = ("subscription",)
    search_fields = ("body",)
    ordering = ("-received_at",)
