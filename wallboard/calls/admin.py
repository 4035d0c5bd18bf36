"""Subscriptions, calls and deliveries in the Django admin: to look at, with two actions. Secrets are never shown."""

from django.contrib import admin, messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.audited_admin import AuditedLookups
from wallboard.calls.models import Delivery, Leg, Record, Subscription
from wallboard.calls.subscriptions import maintenance


class ReadOnlyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Rows that only the provider's messages write."""

    # Counting all deliveries takes longer than showing a page of them.
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Subscription)
class SubscriptionAdmin(ReadOnlyAdmin):
    """How the provider reaches us. The actions only plan; the worker does it within seconds."""

    list_display = ("domain", "kind", "state", "provider_id", "expires_at", "checked_at", "heard_at", "failure")
    list_filter = ("domain", "kind", "state")
    # The path is the only proof of a delivery, and the request body holds it.
    exclude = ("secret", "secret_hash", "request_body")
    actions = ("check_now", "rotate_address")

    def has_manage_permission(self, request: HttpRequest) -> bool:
        """Who may use the actions: whoever may change subscriptions, though nobody edits them here."""
        return request.user.has_perm("calls.change_subscription")

    @admin.action(description=_("Check now"), permissions=["manage"])
    def check_now(self, request: HttpRequest, chosen: QuerySet[Subscription]) -> None:
        for domain in {row.domain for row in chosen.select_related("domain")}:
            maintenance.check_now(domain)
        messages.success(request, _("They are checked within seconds."))

    @admin.action(description=_("Replace the secret address"), permissions=["manage"])
    def rotate_address(self, request: HttpRequest, chosen: QuerySet[Subscription]) -> None:
        # One rotation per kind, however many of its rows were ticked.
        wanted = {(row.domain, row.kind) for row in chosen.select_related("domain")}
        begun = [row for domain, kind in sorted(wanted, key=str) if (row := maintenance.rotate(domain, kind))]
        text = ngettext(
            "%d new address is being set up; the old one goes when it works.",
            "%d new addresses are being set up; the old ones go when they work.",
            len(begun),
        )
        messages.success(request, text % len(begun))


@admin.register(Leg)
class LegAdmin(AuditedLookups, ReadOnlyAdmin):
    """Call legs as merged from deliveries."""

    list_display = ("first_seen_at", "domain", "from_number", "from_user", "to_number", "to_user", "to_state", "queue")
    list_filter = ("domain", "to_state", "is_unconfirmed", "first_seen_at")
    search_fields = ("=from_call_id", "=to_call_id", "=caller_e164", "=from_user", "=to_user")
    ordering = ("-first_seen_at",)


@admin.register(Record)
class RecordAdmin(AuditedLookups, ReadOnlyAdmin):
    """Call detail records as sent."""

    list_display = ("started_at", "domain", "from_number", "from_user", "to_number", "to_user", "duration_seconds")
    list_filter = ("domain", "started_at")
    search_fields = ("=from_call_id", "=to_call_id", "=from_number", "=to_number", "=from_user", "=to_user")
    ordering = ("-started_at",)


@admin.register(Delivery)
class DeliveryAdmin(AuditedLookups, ReadOnlyAdmin):
    """What came in, word for word, for looking into a fault."""

    list_display = ("received_at", "subscription", "applied_at", "problem")
    list_filter = ("problem", "received_at", "subscription__domain")
    # Else each line of the list asks for its subscription.
    list_select_related = ("subscription",)
    search_fields = ("body",)
    ordering = ("-received_at",)
