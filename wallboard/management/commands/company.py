"""`manage.py company` with an act: the operator's page, and configurations, for whoever has a shell."""

from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError, CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from accounts.companies import addresses, editing
from accounts.languages.commands import TranslatedCommand
from accounts.languages.lists import listed
from accounts.models import Domain
from wallboard.configuration import comparing, document, exporting, importing
from wallboard.configuration.comparing import Difference
from wallboard.setup import first_key, removing
from wallboard.setup.forms import CompanyForm


class Command(TranslatedCommand):
    help = gettext_noop(
        "List, add, edit, pause, resume and remove the companies of this installation, and invite administrators."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        acts.add_parser("list", help=_("every company with its state and address"))
        add = acts.add_parser("add", help=_("a new company, and the address for its first administrator"))
        add.add_argument("name")
        add.add_argument("--slug", default="", help=_("its short name in addresses; made of the name otherwise"))
        add.add_argument("--host", default="", help=_("a host name of its own, such as acme.example.com"))
        edit = acts.add_parser("edit", help=_("another name, short name or host"))
        edit.add_argument("slug")
        edit.add_argument("--name")
        edit.add_argument("--new-slug")
        edit.add_argument("--host", help=_("a host name of its own; '' for the installation's address"))
        for act, text in (
            ("pause", _("stop everything about a company, and keep it")),
            ("resume", _("let it go on")),
            ("invite", _("print the address that makes its first administrator")),
        ):
            acts.add_parser(act, help=text).add_argument("slug")
        export = acts.add_parser("export", help=_("print its configuration, or write it into a file"))
        export.add_argument("slug")
        export.add_argument("file", nargs="?", type=Path)
        taken = acts.add_parser("import", help=_("set what a file of `export` says, all of it or nothing"))
        taken.add_argument("slug")
        taken.add_argument("file", type=Path)
        taken.add_argument("--dry-run", action="store_true", help=_("print what it would change, and change nothing"))
        compare = acts.add_parser("compare", help=_("print what two companies have set differently"))
        compare.add_argument("slug")
        compare.add_argument("other")
        remove = acts.add_parser("remove", help=_("delete a company and everything of it for good"))
        remove.add_argument("slug")
        remove.add_argument(
            "--sure", default="", metavar="NAME", help=_("the company's name, so that nothing is asked")
        )

    def handle(self, *args: Any, act: str, **options: Any) -> None:
        try:
            getattr(self, f"_{act}")(options)
        except ValidationError as error:
            raise CommandError(_sentences(error)) from error

    def _list(self, _options: dict[str, Any]) -> None:
        for domain in Domain.objects.order_by("slug"):
            state = _("being removed") if domain.removal_at else _("active") if domain.is_active else _("paused")
            self.stdout.write(f"{domain.slug}  {state}  {addresses.of(domain)}  {domain.name}")

    def _add(self, options: dict[str, Any]) -> None:
        domain = editing.add(options["name"], options["slug"], options["host"])
        self.stdout.write(_("%(slug)s is added.") % {"slug": domain.slug})
        self._print_invitation(domain)

    def _edit(self, options: dict[str, Any]) -> None:
        domain = self._company(options)
        host = domain.host or "" if options["host"] is None else options["host"]
        editing.edit(domain, options["name"] or domain.name, options["new_slug"] or domain.slug, host)
        self.stdout.write(
            _("%(slug)s is saved. People sign in at %(address)s")
            % {"slug": domain.slug, "address": addresses.sign_in(domain)}
        )

    def _pause(self, options: dict[str, Any]) -> None:
        editing.pause(domain := self._company(options))
        self.stdout.write(_("%(slug)s is paused.") % {"slug": domain.slug})

    def _resume(self, options: dict[str, Any]) -> None:
        editing.resume(domain := self._company(options))
        self.stdout.write(_("%(slug)s goes on by itself within a minute.") % {"slug": domain.slug})

    def _invite(self, options: dict[str, Any]) -> None:
        domain = self._company(options)
        if not first_key.is_needed(domain):
            raise CommandError(_("%(slug)s has an administrator already.") % {"slug": domain.slug})
        if not domain.is_active:
            raise CommandError(_("%(slug)s is paused.") % {"slug": domain.slug})
        self._print_invitation(domain)

    def _remove(self, options: dict[str, Any]) -> None:
        domain = self._company(options)
        counts = listed(f"{count} {name}" for name, count in removing.counts(domain).items())
        self.stdout.write(
            _("With %(name)s these go for good: %(counts)s, and all else that belongs to it.")
            % {"name": domain.name, "counts": counts}
        )
        try:
            editing.ask_removal(domain, options["sure"] or input(_("To confirm, type its name: ")))
        except editing.NameDiffers:
            raise CommandError(_("This is not the name of the company. Nothing was removed.")) from None
        self.stdout.write(_("%(slug)s is being removed by the worker.") % {"slug": domain.slug})

    def _export(self, options: dict[str, Any]) -> None:
        text = document.written(exporting.export(self._company(options)))
        if not options["file"]:
            self.stdout.write(text.decode(), ending="")
            return
        try:
            options["file"].write_bytes(text)
        except OSError as error:
            raise CommandError(_("The file cannot be written: %(error)s") % {"error": error}) from error
        self.stdout.write(_("%(slug)s is written to %(file)s.") % {"slug": options["slug"], "file": options["file"]})

    def _import(self, options: dict[str, Any]) -> None:
        domain = self._company(options)
        try:
            wanted = document.read(options["file"].read_bytes())
            left_out: list[str] = []
            found = importing.take(domain, wanted, is_dry=options["dry_run"], left_out=left_out)
        except OSError as error:
            raise CommandError(_("The file cannot be read: %(error)s") % {"error": error}) from error
        except document.NotUnderstood as refusal:
            raise CommandError(f"{str(refusal).removesuffix('.')}. {_('Nothing has changed.')}") from refusal
        self._print_differences(found)
        if left_out:
            self.stdout.write(importing.LEFT_OUT % {"places": " ".join(left_out)})
        is_set = found and not options["dry_run"]
        self.stdout.write(_("%(slug)s is set.") % {"slug": domain.slug} if is_set else _("Nothing has changed."))

    def _compare(self, options: dict[str, Any]) -> None:
        ours, theirs = self._company(options), self._company({"slug": options["other"]})
        found = comparing.differences(exporting.export(ours), exporting.export(theirs))
        self._print_differences(found)
        if not found:
            same = _("%(one)s and %(other)s are set the same.")
            self.stdout.write(same % {"one": ours.slug, "other": theirs.slug})

    def _print_differences(self, found: list[Difference]) -> None:
        for each in found:
            self.stdout.write(f"{each.path}: {each.before or '–'} → {each.after or '–'}")

    def _company(self, options: dict[str, Any]) -> Domain:
        found = Domain.objects.filter(slug=options["slug"], removal_at=None).first()
        if found is None:
            known = listed(Domain.objects.filter(removal_at=None).values_list("slug", flat=True)) or _("none")
            raise CommandError(
                _("There is no company “%(company)s”. Known: %(known)s.") % {"company": options["slug"], "known": known}
            )
        return found

    def _print_invitation(self, domain: Domain) -> None:
        minutes = int(first_key.VALIDITY.total_seconds() // 60)
        self.stdout.write(_("Its first administrator: open %(address)s") % {"address": first_key.issue(domain)})
        self.stdout.write(
            ngettext(
                "It works once and for %(minutes)s minute; `manage.py company invite %(slug)s` prints another.",
                "It works once and for %(minutes)s minutes; `manage.py company invite %(slug)s` prints another.",
                minutes,
            )
            % {"minutes": minutes, "slug": domain.slug}
        )


def _sentences(error: ValidationError) -> str:
    """What is wrong, each with what it is about, as the form of the operator's page names it."""
    fields = CompanyForm.base_fields
    return " ".join(
        f"{fields[name].label}: {sentence}" if name in fields else sentence
        for name, sentences in error.message_dict.items()
        for sentence in sentences
    )
