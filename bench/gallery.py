"""Pictures of every page at every size in both themes, from a running demo, and one page to look through them.

`make demo` in one shell, `python -m bench.gallery` in another; the pictures come to lie in the folder `gallery`. Pages
are found by following the links of the site as its administrator, so a new page needs no entry here. `--wall` needs no
demo: it draws the wall in the states that tests/boards/wall_scenes.py names (WALLBOARD_WALL=all: in every one).
"""

import argparse
import html
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from playwright.sync_api import Browser, Error, Page

from tests.harness.browser import running_browser

SIZES = ((1920, 1080), (1280, 720), (3840, 2160), (1080, 1920), (390, 844))
THEMES = ("light", "dark")
LEFT_OUT = re.compile(r"^/(admin|static|hooks|live|accounts/logout)|as=csv|/export/|\.(csv|txt)$")
MOST_PAGES = 80
SETTLE_MS = 1500  # the first frames of the socket, and one tick of the clock
PLACE = Path(__file__).resolve().parent.parent
LINKS = """() => [...document.querySelectorAll("a[href]")].map((link) => link.href)"""
STYLE = """body{margin:24px;font:15px/1.4 system-ui,sans-serif;background:#eceae5;color:#16191d}
h2{margin:32px 0 8px;font-size:18px}ul{display:flex;flex-wrap:wrap;gap:12px;margin:0;padding:0;list-style:none}
img{display:block;height:190px;border:1px solid #8b919b;border-radius:6px}figure{margin:0}figcaption{color:#58616d}"""


@dataclass(frozen=True)
class Shot:
    """One picture: of which page, and how it was looked at."""

    page: str
    theme: str
    width: int
    height: int

    @property
    def file(self) -> str:
        name = re.sub(r"[^a-z0-9]+", "-", self.page.lower()).strip("-") or "home"
        return f"{name}-{self.width}x{self.height}-{self.theme}.png"


class Gallery:
    """Goes through the pages of one demo and keeps their pictures in a folder."""

    def __init__(self, browser: Browser, addresses: dict[str, str], folder: Path, only: str) -> None:
        self.browser, self.folder = browser, folder
        self.only = re.compile(only)
        self.screen = addresses["TV, without sign-in"]
        self.root = addresses["Set-up and people"].split("/setup/")[0]
        found = re.search(r"sign in as (\S+)", addresses["Set-up and people"])
        self.extension = found[1] if found else ""
        self.shots: list[Shot] = []

    def take(self) -> None:
        """Every page in both themes; then the page that shows them all."""
        for theme in THEMES:
            self._outside(theme)
            self._inside(theme)
        (self.folder / "index.html").write_text(index_of(self.shots))

    def _outside(self, theme: str) -> None:
        """What is seen without signing in."""
        page = self._page(theme)
        for path in ("/accounts/login/", "/pair/"):
            self._picture(page, path, theme)
        page.goto(self.screen)
        self._picture(page, "/screen/", theme)
        page.context.close()

    def _inside(self, theme: str) -> None:
        page = self._page(theme)
        page.goto(f"{self.root}/setup/")
        page.get_by_role("link", name="Sign in with").click()
        page.locator(f"[name=extension][value='{self.extension}']").click()
        page.wait_for_url(f"{self.root}/**")
        for path in self._paths(page):
            self._picture(page, path, theme)
        page.context.close()

    def _paths(self, page: Page) -> Iterator[str]:
        """Every page that links lead to, one of each kind: /teams/4/ stands for all teams."""
        waiting, known = ["/", "/desk/", "/people/"], {"/", "/desk/", "/people/"}
        for _ in range(MOST_PAGES):
            if not waiting:
                return
            path = waiting.pop(0)
            if not self._is_page(page, path):
                continue
            for link in page.evaluate(LINKS):
                kind = re.sub(r"/\d+/", "/*/", urlsplit(link).path)
                if link.startswith(self.root) and kind not in known and not LEFT_OUT.search(urlsplit(link).path):
                    known.add(kind)
                    waiting.append(urlsplit(link).path)
            yield path

    def _is_page(self, page: Page, path: str) -> bool:
        try:
            answer = page.goto(urljoin(self.root, path))
        except Error:  # a download
            return False
        return answer is not None and answer.ok and "html" in answer.headers.get("content-type", "")

    def _picture(self, page: Page, path: str, theme: str) -> None:
        if not self.only.search(path):
            return
        if urlsplit(page.url).path != path:
            page.goto(urljoin(self.root, path))
        page.wait_for_timeout(SETTLE_MS)
        for width, height in SIZES:
            shot = Shot(path, theme, width, height)
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_timeout(SETTLE_MS // 5)
            page.screenshot(path=self.folder / shot.file)
            self.shots.append(shot)
        print(f"{theme:<6}{path}", flush=True)

    def _page(self, theme: str) -> Page:
        context = self.browser.new_context(viewport={"width": 1920, "height": 1080})
        page = context.new_page()
        page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
        return page


def index_of(shots: list[Shot]) -> str:
    """One page with all pictures, each leading to its full size."""
    parts = []
    for path in sorted({shot.page for shot in shots}):
        items = "".join(
            f'<li><figure><a href="{shot.file}"><img loading="lazy" src="{shot.file}" alt="{html.escape(path)}, '
            f'{shot.theme}, {shot.width} by {shot.height}"></a><figcaption>{shot.theme} {shot.width} × {shot.height}'
            "</figcaption></figure></li>"
            for shot in shots
            if shot.page == path
        )
        parts.append(f"<h2>{html.escape(path)}</h2><ul>{items}</ul>")
    head = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Every page</title><style>{STYLE}</style>'
    return f"{head}<h1>Every page, {len(shots)} pictures</h1>{''.join(parts)}</html>\n"


def draw_wall(folder: Path) -> int:
    """A picture of the wall in each scene, and a page that shows them all; answers how many there are."""
    scenes = "tests/boards/test_wall_matrix.py::test_every_scene_fits"
    env = {**os.environ, "WALLBOARD_PICTURES": str(folder.resolve())}
    subprocess.run([sys.executable, "-m", "pytest", "--quiet", scenes], cwd=PLACE, env=env, check=False)
    pictures = sorted(path.name for path in folder.glob("wall-*.png"))
    items = "".join(
        f'<li><a href="{name}"><img loading="lazy" src="{name}" alt="{name[5:-4]}"></a></li>' for name in pictures
    )
    head = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>The wall</title><style>{STYLE}</style>'
    (folder / "wall.html").write_text(f"{head}<h1>The wall, {len(pictures)} states</h1><ul>{items}</ul></html>\n")
    return len(pictures)


def main() -> None:
    """Read where the demo runs, take the pictures, say where they are."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--demo", type=Path, default=PLACE / ".demo", help="the folder of the running demo")
    options.add_argument("--into", type=Path, default=PLACE / "gallery", help="where the pictures go")
    options.add_argument("--only", default="", help="a pattern: only pages whose address fits")
    options.add_argument("--wall", action="store_true", help="draw the wall in many states instead; needs no demo")
    asked = options.parse_args()
    asked.into.mkdir(parents=True, exist_ok=True)
    if asked.wall:
        print(f"{draw_wall(asked.into)} pictures: open {asked.into / 'wall.html'}")
        return
    try:
        addresses = json.loads((asked.demo / "addresses.json").read_text())
    except OSError:
        sys.exit("Start the demo first: make demo")
    with running_browser() as browser:
        gallery = Gallery(browser, addresses, asked.into, asked.only)
        gallery.take()
    print(f"{len(gallery.shots)} pictures: open {asked.into / 'index.html'}")


if __name__ == "__main__":
    main()
