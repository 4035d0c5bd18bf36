"""A company's colour stays readable, themes reach TVs, and pages turn over for those who read from right to left."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import expect

from accounts.models import AuditEntry, Domain
from tests.boards.conftest import Show, SignIn, with_theme
from wallboard.boards import themes
from wallboard.boards.models import Board, Image
from wallboard.setup import brands, rtl_styles
from wallboard.setup.brands import BadBrand, BrandInput, contrast, shades
from wallboard.setup.models import Brand

CSS = Path(settings.BASE_DIR) / "static" / "css"


def token(sheet: str, name: str) -> str:
    found = re.search(rf"--color-{name}: (#[0-9a-f]{{6}});", (CSS / sheet).read_text())
    assert found
    return found[1]


def test_the_grounds_that_colours_are_judged_on_are_those_of_the_pages() -> None:
    assert (token("tokens.css", "card"), token("tokens.css", "ground")) == brands.LIGHT_BACKGROUNDS
    assert (token("dark.css", "card"), token("dark.css", "ground")) == brands.DARK_BACKGROUNDS


def test_contrast_is_the_one_of_the_rules() -> None:
    assert round(contrast("#ffffff", "#000000"), 2) == 21
    assert round(contrast("#777777", "#ffffff"), 2) == 4.48


@pytest.mark.parametrize("colour", ["#ffee00", "#000000", "#ffffff", "#0a6e5c", "#ff0000", "#00ff00", "#7f7f7f"])
def test_text_on_and_beside_every_colour_can_be_read(colour: str) -> None:
    shown = shades(colour)

    beside_light = [contrast(shown.light, ground) for ground in (*brands.LIGHT_BACKGROUNDS, brands.ON_LIGHT)]
    beside_dark = [contrast(shown.dark, ground) for ground in (*brands.DARK_BACKGROUNDS, brands.ON_DARK)]
    assert min(beside_light + beside_dark) >= 4.5


def test_a_colour_that_can_be_read_is_left_alone_and_one_that_cannot_is_told() -> None:
    assert shades("#0a6e5c").light == "#0a6e5c"
    assert shades("#ffee00").dark == "#ffee00"
    assert "#ffee00 could not be read everywhere" in brands.adjustment_note("#ffee00")
    assert brands.adjustment_note("") == ""
    assert shades("#ffee00") is shades("#ffee00")


@pytest.mark.parametrize("text", ["teal", "#fff", "#12345g", "#1234567", "red;}"])
def test_what_is_no_colour_is_refused(domain: Domain, text: str) -> None:
    with pytest.raises(BadBrand, match=r"\.$"):
        brands.save(domain, BrandInput(text))


def test_a_brand_reaches_pages_and_tvs_and_is_noted(domain: Domain, board: Board, sign_in: SignIn) -> None:
    logo = Image.objects.create(domain=domain, name="logo", digest="d1", kind="image/png", width=1, height=1, data=b"x")
    admin = sign_in("administrator")
    answer = admin.post("/brand/", {"colour": "#FFEE00", "logo": logo.pk, "direction": "rtl"}, follow=True)

    page = answer.content.decode()
    assert "could not be read everywhere" in page
    style = re.search(r'href="(/brand/\d+/\w+/)"', page)
    assert style
    assert "--color-accent: #ffee00; --color-on-accent: #10141a" in admin.get(style[1]).content.decode()
    assert f'src="/boards/images/{logo.pk}/d1/"' in page
    assert 'dir="rtl"' in page
    assert admin.get(style[1].replace(style[1][-6:-1], "00000")).status_code == 404
    assert AuditEntry.objects.get(what="brand changed").changes["colour"] == ["", "#ffee00"]
    assert admin.post("/brand/", {"colour": "teal"}).status_code == 400
    assert Brand.objects.get().colour == "#ffee00"


def test_the_logo_of_another_company_is_refused(domain: Domain, sign_in: SignIn) -> None:
    other = Domain.objects.create(slug="o", name="Other", base_url="http://o.test", client_id="i", client_secret="s")
    theirs = Image.objects.create(domain=other, name="x", digest="d", kind="image/png", width=1, height=1, data=b"x")

    assert sign_in("administrator").post("/brand/", {"logo": theirs.pk}).status_code == 400
    with pytest.raises(BadBrand):
        brands.save(domain, BrandInput(logo=theirs))


def test_what_is_refused_is_told_beside_its_field_and_the_logo_stays_chosen(domain: Domain, sign_in: SignIn) -> None:
    logo = Image.objects.create(domain=domain, name="logo", digest="d1", kind="image/png", width=1, height=1, data=b"x")
    brands.save(domain, BrandInput(logo=logo))
    odd = {"colour": "#" + 20 * "0", "logo": logo.pk + 1, "language": "tlh", "direction": "up"}

    answer = sign_in("administrator").post("/brand/", odd)

    page = answer.content.decode()
    assert answer.status_code == 400
    assert page.count('<ul class="errorlist"') == len(odd)
    assert f'<option value="{logo.pk}" selected>' in page


def test_rules_of_sides_are_turned_over() -> None:
    css = """/* x */ @import "z.css"; .a { margin-left: 4px; color: red; } .b, .c { text-align: right; left: 0 }
    @media (max-width: 9px) { .d { padding: 1px 2px 3px calc(4px + 1px); } .e { margin: 0 auto; } }
    .f { margin: 1px 2px; } .f:is(.g, .h) { margin: 0 1px 0 0 }
    @container page (max-width: 9px) { .a, .f { margin: 0 3px; } .d { padding-left: 0; } }"""

    assert (
        rtl_styles.turned(css).split()
        == """
    [dir="rtl"] .a { margin-right: 4px; margin-left: 0; }
    [dir="rtl"] .b, [dir="rtl"] .c { text-align: left; right: 0; left: auto; }
    @media (max-width: 9px) { [dir="rtl"] .d { padding-left: 2px; padding-right: calc(4px + 1px); } }
    [dir="rtl"] .f:is(.g, .h) { margin-left: 1px; margin-right: 0; }
    @container page (max-width: 9px) {
    [dir="rtl"] .a { margin-left: 3px; margin-right: 3px; }
    [dir="rtl"] .d { padding-right: 0; padding-left: 2px; } }
    """.replace("; }", ";\n}").split()
    )


def media(page: Any) -> list[str]:
    found: list[str] = page.evaluate(
        "['dark', 'contrast', 'contrast-dark'].map((id) => document.getElementById(id).media)"
    )
    return found


def test_pages_and_scripts_agree_on_the_sheets_of_every_theme(board: Board, show: Show) -> None:
    shown = show()
    assert media(shown.page) == sheets(board.theme)
    layout = {"sections": ["queues"], "queues": None}
    shown.snapshot(f"board:{board.pk}", {})
    for version, theme in enumerate(Board.Theme.values, 90):
        document = {"id": board.pk, "name": "x", "notice": "", "layout": layout, "images": {}, "theme": theme}
        shown.news(f"board:{board.pk}", {"board": {**document, "version": version}})
        expect(shown.page.locator("html")).to_have_attribute("data-theme", theme)

        assert media(shown.page) == sheets(theme)


def sheets(theme: str) -> list[str]:
    return [themes.dark_media(theme), themes.contrast_media(theme), themes.contrast_dark_media(theme)]


def test_a_calm_board_fills_nothing_but_what_is_late(board: Board, show: Show) -> None:
    with_theme(board, "calm-dark")
    tv = show()
    tv.fill(8, 24, 3)
    for level in ("late", "watch", "normal"):
        expect(tv.page.locator(f".queue-card[data-level={level}]")).not_to_have_count(0)
    expect(tv.page.locator(".person")).to_have_count(24)
    ground = "(node) => getComputedStyle(node).backgroundColor"
    people = set(tv.page.locator(".person:not([data-state=unseen])").evaluate_all(f"nodes => nodes.map({ground})"))
    cards = tv.page.locator(".queue-card").evaluate_all(
        f"nodes => nodes.map((node) => [node.dataset.level, ({ground})(node)])"
    )

    assert len(people) == 1
    by_level = {level: {each for name, each in cards if name == level} for level in ("late", "watch", "normal")}
    assert by_level["watch"] == by_level["normal"] != by_level["late"]
    assert tv.page.locator(".queue-card").first.evaluate("node => getComputedStyle(node).transitionDuration") == "0s"


def test_a_person_chooses_the_colours_of_pages_in_a_browser(sign_in: SignIn, board: Board) -> None:
    client = sign_in("agent")
    assert 'data-theme="system"' in client.get("/accounts/").content.decode()

    client.post("/brand/theme/", {"theme": "contrast"})
    client.post("/brand/theme/", {"theme": 'x"><script>'})

    page = client.get("/accounts/").content.decode()
    assert 'data-theme="contrast"' in page
    assert 'id="contrast-dark" media="screen"' in page
    assert 'data-theme="dark"' in client.get(f"/boards/{board.slug}/").content.decode()
    client.cookies["look"] = "no-such-look"
    assert 'data-theme="system"' in client.get("/accounts/").content.decode()


def test_the_admin_site_has_the_products_colours_in_both_themes(admin_client: Any) -> None:
    page, sheet = admin_client.get("/admin/").content.decode(), (CSS / "admin.css").read_text()
    light, dark = (set(re.findall(r"#[0-9a-f]{6}", (CSS / name).read_text())) for name in ("tokens.css", "dark.css"))
    pairs = re.findall(r"light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", sheet)

    assert page.index("admin/css/dark_mode.css") < page.index("css/admin.css")
    assert [pair for pair in pairs if pair[0] not in light or pair[1] not in dark] == []
    assert set(re.findall(r"#[0-9a-f]{6}", sheet)) <= light | dark


@pytest.mark.parametrize("theme", ["system", "dark", "calm-dark", "contrast"])
def test_paper_is_light_in_every_theme(sign_in: SignIn, board: Board, show: Show, theme: str) -> None:
    brands.save(board.domain, brands.BrandInput(colour="#0a7f5a"))
    with_theme(board, theme)
    page = show(client=sign_in("supervisor"), color_scheme="dark").page
    tones = """() => ["color", "backgroundColor"].map((name) => getComputedStyle(document.body)[name])
      .map((text) => Math.max(...text.match(/\\d+/g).slice(0, 3).map(Number)))"""
    accent = "() => getComputedStyle(document.documentElement).getPropertyValue('--color-accent')"
    ink, ground = page.evaluate(tones)
    on_screen = page.evaluate(accent)

    page.emulate_media(media="print", color_scheme="dark")

    assert ink > ground
    ink, ground = page.evaluate(tones)
    assert ink < 80 < 200 < ground
    assert page.evaluate(accent) != on_screen
    expect(page.locator(".nav")).to_be_hidden()
