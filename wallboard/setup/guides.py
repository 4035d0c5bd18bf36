"""The guides in docs/ as pages of the site, and which chapter tells of which page.

Those of people who use the site lie translated in a folder for each language (`docs/de/agent.md`), with the anchors of
the English chapters; the others are there in English only.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import markdown
from django.conf import settings
from django.urls import reverse
from django.utils.html import strip_tags
from django.utils.safestring import SafeString, mark_safe

DOCS = Path(settings.FILES_DIR) / "docs"
PICTURES = DOCS / "pictures"
INDEX = "README"
SOURCE_LANGUAGE = "en"
EXTENSIONS = ("tables", "toc", "fenced_code", "sane_lists", "attr_list")
LINK = re.compile(r'<a href="(?!https?:|#)([^"]*)">(.*?)</a>', re.DOTALL)
HEADING = re.compile(r'<h2 id="([^"]+)">(.*?)</h2>', re.DOTALL)

# By the view's address name. Agents read their own guide of a page that they share with supervisors.
CHAPTERS = {
    guide: {name: chapter for line in lines.split("\n") if line for chapter, *names in [line.split()] for name in names}
    for guide, lines in {
        "supervisor": """
the-wall boards:home boards:list
a-board boards:board boards:queue
replay replay:page
alerts alerts:alerts notifications:acknowledge notifications:confirm
alerts-that-reach-you notifications:mine notifications:add_chat
calls calls:calls
people calls:people
reports reports:reports reports:mine reports:mails reports:edit_mail
make-a-board boards:new boards:edit
tvs screens:screens screens:new_rotation screens:change_rotation screens:pair screens:waiting
embedded-boards screens:embeds
targets-and-hours queues:targets queues:hours
contacts contacts:contacts contacts:add contacts:edit contacts:merge contacts:import contacts:import_state
""",
        "agent": """
sign-in accounts:login accounts:link accounts:start accounts:callback accounts:company_callback accounts:password
the-desk desk:desk
your-account accounts:account setup:manage
""",
        "administrator": """
connect setup:first setup:start setup:start_step setup:address setup:arrive
queue-names queues:queues
roles-and-sign-ins accounts:people
teams-and-limits teams:teams teams:team teams:limit
alert-routes notifications:manage notifications:route notifications:new_route notifications:add_company_chat
alert-routes notifications:new_webhook notifications:webhook
calibration calibration:calibration
service-level reports:service_level
outcomes-and-links desk:offers
caller-records setup:callers
address-books carddav:books carddav:book
privacy privacy:privacy privacy:number
look setup:brand
programs-of-your-own api:tokens outgoing:webhooks outgoing:webhook configuration:configuration
connection setup:setup
""",
        "operating": """
several-companies setup:companies setup:company
""",
    }.items()
}
OF_AGENTS = {
    **dict.fromkeys(("boards:home", "boards:list", "boards:board", "boards:queue", "replay:page"), "a-board"),
    **dict.fromkeys(("contacts:contacts", "contacts:add", "contacts:edit"), "contacts"),
    "calls:people": "who-is-free",
    "reports:mine": "the-desk",
    "notifications:mine": "your-account",
}


class NoGuide(Exception):
    """There is no guide of that name."""


@dataclass(frozen=True)
class Guide:
    """One guide: its language, its title, its text as HTML, and its chapters as pairs of anchor and heading."""

    language: str
    title: str
    html: SafeString
    chapters: tuple[tuple[str, str], ...]


def names() -> list[str]:
    """The guides that there are, by name; the index is not among them."""
    return sorted(path.stem for path in DOCS.glob("*.md") if path.stem != INDEX)


@cache
def guide(name: str, language: str = SOURCE_LANGUAGE) -> Guide:
    """A guide as it is read on the site, in English where it is not translated. Raises NoGuide."""
    if name != INDEX and name not in names():
        raise NoGuide(name)
    if not (path := DOCS / language / f"{name}.md").exists():
        language, path = SOURCE_LANGUAGE, DOCS / f"{name}.md"
    text = path.read_text(encoding="utf-8").replace("](../", "](")
    html = LINK.sub(_link, markdown.markdown(text, extensions=EXTENSIONS))
    html = html.replace('src="pictures/', f'loading="lazy" src="{reverse("setup:guides")}pictures/')
    html = html.replace("<table>", '<div class="table-wrap"><table class="table">').replace(
        "</table>", "</table></div>"
    )
    title = re.search(r"<h1[^>]*>(.*?)</h1>", html, re.DOTALL)
    chapters = tuple((anchor, strip_tags(words)) for anchor, words in HEADING.findall(html))
    return Guide(language, strip_tags(title[1]) if title else name, mark_safe(html), chapters)  # noqa: S308 - files of our own


def _link(found: re.Match[str]) -> str:
    """A link to another guide leads to its page; what lies elsewhere in the repository is named only."""
    file, _, anchor = found[1].partition("#")
    name = Path(file).stem
    if file != f"{name}.md" or (name != INDEX and name not in names()):
        return found[2]
    return f'<a href="{address(name, anchor)}">{found[2]}</a>'


def address(name: str, chapter: str = "") -> str:
    """Where a guide, or a chapter of it, is read."""
    path = reverse("setup:guides") if name == INDEX else reverse("setup:guide", args=[name])
    return f"{path}#{chapter}" if chapter else path


def chapter_of(view_name: str, is_agent: bool) -> str:
    """The address of the chapter that tells of a page; that of the index where none does."""
    if is_agent and view_name in OF_AGENTS:
        return address("agent", OF_AGENTS[view_name])
    found = next((name for name, chapters in CHAPTERS.items() if view_name in chapters), "")
    return address(found, CHAPTERS[found][view_name]) if found else address(INDEX)
