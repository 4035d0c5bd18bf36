"""Companies, people and sign-ins in the Django admin. Secrets go in here, but never come out."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group
from django.db.models import Model, Q, QuerySet
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _

from accounts import audit, limits, people
from accounts.audited_admin import AuditedAdmin, DeletedOneByOne, ReadOnly, WhatFilter, log_form
from accounts.companies import addresses, editing
from accounts.companies.admin_form import DomainForm
from accounts.forms import TeamRowForm
from accounts.languages import audit_labels
from accounts.languages.digits import ascii_digits
from accounts.models import AuditEntry, CompanyToken, Domain, Grant, Lease, Person, Team, User
from accounts.signin import sessions
from accounts.signin.password_throttle import AdminSignInForm
from accounts.tokens import clients

admin.site.login_form = AdminSignInForm
KEPT = ("replay_kept_days", "log_kept_days", "samples_kept_days")
TIMES = ("language", "time_zone", "clock", "day_starts_hour")


@admin.register(Domain)
class DomainAdmin(DeletedOneByOne):
    form = DomainForm
    list_display = ["name", "slug", "base_url", "is_active"]
    prepopulated_fields = {"slug": ["name"]}
    fieldsets = [
        (None, {"fields": ["name", "slug", "is_active"]}),
        (_("Provider"), {"fields": ["base_url", "client_id", "new_client_secret", "poll_seconds"]}),
        (_("Sign-in"), {"fields": ["login_client_id", "new_login_client_secret", "authorize_path", "uses_pkce"]}),
        (_("Who signed in"), {"fields": ["identity_field", "provider_domain"]}),
        (_("Privacy"), {"fields": ["calls_kept_days", "notes_kept_days", *KEPT]}),
        (_("Figures and times"), {"fields": [*TIMES, "country", "wait_unit", "call_time_zone", "longest_call_hours"]}),
    ]

    def save_model(self, request: HttpRequest, obj: Domain, form: ModelForm[Domain], change: bool) -> None:
        if not change:
            obj.callback_key = addresses.new_callback_key()
        super().save_model(request, obj, form, change)
        log_form("company changed" if change else "company added", obj.pk, obj.slug, form)
        if {"base_url", "client_id", "new_client_secret"} & set(form.changed_data):
            # The token, and any pause after a refusal, belong to the old credentials.
            clients.forget_company_token(obj)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Companies are removed one at a time."""
        return {name: action for name, action in super().get_actions(request).items() if name != "delete_selected"}

    def has_delete_permission(self, request: HttpRequest, obj: Domain | None = None) -> bool:
        """Not of a company that is being removed already."""
        return super().has_delete_permission(request, obj) and (obj is None or obj.removal_at is None)

    def delete_model(self, request: HttpRequest, obj: Domain) -> None:
        """Left to the worker, as on the page for operators: its subscriptions end at the provider first."""
        editing.ask_removal(obj, obj.name)

    def response_delete(self, request: HttpRequest, obj_display: str, obj_id: int) -> HttpResponse:
        """Not Django's word that it was deleted, since it is not yet."""
        messages.info(request, _("%(company)s is being removed.") % {"company": obj_display})
        return redirect("admin:accounts_domain_changelist")


admin.site.unregister(Group)


@admin.register(Group)
class GroupAdmin(AuditedAdmin, DjangoGroupAdmin):
    """Django's own, with a trace in the audit log."""


@admin.register(User)
class UserAdmin(DeletedOneByOne, DjangoUserAdmin):  # type: ignore[type-arg]
    list_display = ["username", "person", "link_code", "is_active", "is_superuser", "last_login"]
    list_select_related = ["person"]
    search_fields = ["username", "person__extension", "person__name"]
    actions = ["end_sessions"]

    @admin.action(description=_("Sign out everywhere"), permissions=["change"])
    def end_sessions(self, request: HttpRequest, chosen: QuerySet[User]) -> None:
        for user in chosen:
            sessions.end(user.pk)
            audit.log(None, "signed out everywhere", user.get_username())
        messages.success(request, _("They are signed out in every browser."))

    def save_model(self, request: HttpRequest, obj: User, form: ModelForm[User], change: bool) -> None:
        super().save_model(request, obj, form, change)
        log_form("account changed" if change else "account added", None, obj.get_username(), form)
        if change and not obj.is_active:
            sessions.end(obj.pk)

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> Any:
        """Whose password was set by somebody else; the form has no hook for it."""
        before = User.objects.filter(pk=id if id.isdecimal() else 0).first()
        answer = super().user_change_password(request, id, form_url)
        if before and before.password != User.objects.values_list("password", flat=True).get(pk=before.pk):
            audit.log(None, "password changed", before.get_username())
        return answer

    def delete_model(self, request: HttpRequest, obj: User) -> None:
        audit.log(None, "account deleted", obj.get_username())
        super().delete_model(request, obj)


class SignInField(forms.ModelChoiceField):  # type: ignore[type-arg]
    """A waiting sign-in is named by the number on its screen."""

    def label_from_instance(self, obj: User) -> str:
        return str(_("waiting with number %(code)s") % {"code": obj.link_code}) if obj.link_code else obj.username


class PersonForm(forms.ModelForm):  # type: ignore[type-arg]
    """The sign-in is chosen among those that wait, and the one that is linked already."""

    class Meta:
        model = Person
        fields = ["domain", "extension", "name", "role", "user", "is_hidden", "only_queues", "only_team"]
        help_texts = {
            "only_queues": _('Numbers of the queues to be seen, such as ["800", "801"]; empty for all.'),
            "only_team": _("The people to be seen; empty for everybody. Administrators always see everything."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk and "user" in self.fields:
            waiting = people.awaiting_link(self.instance.domain_id).values("user")
            choice = User.objects.filter(Q(pk__in=waiting) | Q(pk=self.instance.user_id))
            self.fields["user"] = SignInField(choice, required=False, empty_label=str(_("nobody")))

    def clean_extension(self) -> str:
        return ascii_digits(self.cleaned_data["extension"])

    def clean_only_queues(self) -> list[str] | None:
        numbers = self.cleaned_data["only_queues"]
        if numbers is not None and not (isinstance(numbers, list) and all(isinstance(each, str) for each in numbers)):
            raise forms.ValidationError(_('Write a list of texts, such as ["800", "801"].'))
        return numbers

    def clean(self) -> dict[str, Any]:
        """A team must be one of the person's company."""
        cleaned = super().clean() or {}
        team, domain = cleaned.get("only_team"), cleaned.get("domain")
        if team is not None and team.domain_id != (domain.pk if domain else self.instance.domain_id):
            self.add_error("only_team", _("This is a team of another company."))
        return cleaned

    def clean_role(self) -> str:
        role: str = self.cleaned_data["role"]
        if self.instance.pk and people.is_last_administrator(Person.objects.get(pk=self.instance.pk), role):
            raise forms.ValidationError(_("Make somebody else an administrator first: one has to remain."))
        return role

    def clean_user(self) -> User | None:
        user: User | None = self.cleaned_data["user"]
        if user is None and self.instance.pk and people.is_last_local(Person.objects.get(pk=self.instance.pk)):
            raise forms.ValidationError(_("Make somebody else an administrator first: one has to remain."))
        return user


@admin.register(Person)
class PersonAdmin(DeletedOneByOne):
    form = PersonForm
    list_display = ["extension", "name", "role", "domain", "is_linked", "is_hidden"]
    list_filter = ["role", "domain", "is_hidden"]
    search_fields = ["extension", "name"]
    ordering = ["domain", "extension"]

    @admin.display(boolean=True, description=_("has signed in"))
    def is_linked(self, person: Person) -> bool:
        return person.user_id is not None

    def get_readonly_fields(self, request: HttpRequest, obj: Person | None = None) -> list[str]:
        return ["domain", "extension"] if obj else ["user"]

    def save_model(self, request: HttpRequest, obj: Person, form: ModelForm[Person], change: bool) -> None:
        """Everything goes through the functions of `people`, so that sessions and open pages follow."""
        wanted = form.cleaned_data
        person = people.get_or_create(obj.domain, obj.extension)
        # Django goes on with its own object, and must not insert it again.
        obj.pk = person.pk
        if not change:
            audit.log(person.domain_id, "person added", audit.person_label(person))
        people.rename(person, wanted["name"])
        people.change_role(person, wanted["role"])
        people.hide(person, wanted["is_hidden"])
        limits.set_limit(person, wanted["only_queues"], wanted["only_team"])
        if "user" in form.changed_data:
            user = wanted["user"]
            people.link(person, user) if user else people.unlink(person)

    def delete_model(self, request: HttpRequest, obj: Person) -> None:
        if obj.user_id:
            sessions.end(obj.user_id)
        audit.log(obj.domain_id, "person deleted", audit.person_label(obj))
        super().delete_model(request, obj)


@admin.register(Team)
class TeamAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Goes through the functions of `limits`, so that open pages follow."""

    form = TeamRowForm
    list_display = ["name", "domain"]
    list_filter = ["domain"]
    filter_horizontal = ["people"]

    def save_model(self, request: HttpRequest, obj: Team, form: ModelForm[Team], change: bool) -> None:
        extensions = [person.extension for person in form.cleaned_data["people"]]
        saved = limits.save_team(obj.domain, obj.name, extensions, obj if change else None)
        obj.pk = saved.pk

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """All is saved already; people of another company were left out."""

    def get_readonly_fields(self, request: HttpRequest, obj: Team | None = None) -> list[str]:
        return ["domain"] if obj else []

    def has_delete_permission(self, request: HttpRequest, obj: Team | None = None) -> bool:
        # Without the team, whoever is limited to it would see everything.
        is_needed = obj is not None and obj.seen_by.exists()
        return super().has_delete_permission(request, obj) and not is_needed


@admin.register(Grant)
class GrantAdmin(ReadOnly):
    list_display = ["user", "domain", "signed_in_at", "usable_until", "refresh_issued_at", "refused_at", "failure"]
    list_filter = ["domain"]
    exclude = ["access_token", "refresh_token"]


@admin.register(CompanyToken)
class CompanyTokenAdmin(ReadOnly):
    list_display = ["domain", "usable_until", "failing_since", "failure", "retry_at"]
    exclude = ["access_token"]


@admin.register(Lease)
class LeaseAdmin(ReadOnly):
    list_display = ["name", "owner", "fence", "until"]
    search_fields = ["name"]


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnly):
    """Who did what, newest first; to be read only."""

    list_display = ["at", "company", "who", "label", "about", "changes"]
    list_filter = [("what", WhatFilter), "company"]
    search_fields = ["who", "about"]
    date_hierarchy = "at"

    @admin.display(description=_("what"), ordering="what")
    def label(self, entry: AuditEntry) -> str:
        return audit_labels.label(entry.what)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False
