"""`manage.py person 101 --role administrator`: a person who has not signed in yet, or the first administrator."""

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts import audit, people, validators
from accounts.forms import NewPersonForm
from accounts.languages.commands import TranslatedCommand
from accounts.models import Domain, Person


class Command(TranslatedCommand):
    help = gettext_noop("Make or change a person by extension. Makes the first administrator.")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("extension")
        parser.add_argument("--name")
        parser.add_argument("--role", choices=Person.Role.values)
        parser.add_argument("--domain", help=_("slug of the company; may be left out when there is only one"))

    def handle(self, *args: Any, **options: Any) -> None:
        domain = self._domain(options["domain"])
        extension = people.extension_meant(domain, options["extension"].strip())
        is_new = not Person.objects.filter(domain=domain, extension=extension).exists()
        form = NewPersonForm({"extension": extension, "name": options["name"] or ""})
        if is_new and "extension" in form.errors:
            raise CommandError(validators.WRONG_EXTENSION)
        if "name" in form.errors:
            raise CommandError(f"--name: {form.errors['name'][0]}")
        person = people.get_or_create(domain, extension)
        if options["name"] is not None:
            people.rename(person, options["name"])
        if options["role"]:
            try:
                people.change_role(person, options["role"])
            except people.LastAdministrator as error:
                raise CommandError(_("Make somebody else an administrator first: one has to remain.")) from error
        text = (
            _("%(who)s is new and is %(role)s at %(company)s.") if is_new else _("%(who)s is %(role)s at %(company)s.")
        )
        who = audit.person_label(person)
        self.stdout.write(text % {"who": who, "role": person.role, "company": domain.name})

    def _domain(self, slug: str | None) -> Domain:
        found = Domain.objects.filter(slug=slug) if slug else Domain.objects.all()
        if found.count() == 1:
            return found.get()
        known = ", ".join(Domain.objects.values_list("slug", flat=True))
        if not known:
            raise CommandError(_("There is no company yet; run `manage.py setup`."))
        raise CommandError(_("Say which company with --domain. Known: %(known)s.") % {"known": known})
