"""Embed links: made once, framed by their sites only, revoked at once."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import AuditEntry, Domain
from tests.boards.conftest import SignIn
from tests.screens.embeds.conftest import SITE, MakeEmbed
from wallboard.boards import editing
from wallboard.boards.models import Board, Image
from wallboard.screens.embeds import links
from wallboard.screens.models import Embed

POSTED = {"name": "Intranet", "sites": SITE, "theme": "", "language": ""}


def test_a_link_is_shown_once_and_only_its_hash_is_kept(sign_in: SignIn, grid: Board) -> None:
    client = sign_in("supervisor")

    form = {**POSTED, "shows": f"{grid.pk}:one"}
    page, again = (client.post("/screens/embeds/", form, follow=True).content.decode() for _ in range(2))

    token = page.partition("/embed/")[2].partition("/")[0]
    assert f"/embed/{token}/" in again
    embed = Embed.objects.get()
    assert links.find(token) == embed
    assert token not in str(Embed.objects.values().get()) + str(AuditEntry.objects.values())
    listed = client.get("/screens/embeds/").content.decode()
    assert token not in listed
    assert all(text in listed for text in ("Intranet", "Sales line", SITE, "never"))


def test_only_administrators_may_let_a_link_show_numbers(sign_in: SignIn, grid: Board) -> None:
    posted = {**POSTED, "shows": f"{grid.pk}:live", "has_numbers": "on"}
    sign_in("supervisor").post("/screens/embeds/", posted)
    sign_in("administrator").post("/screens/embeds/", posted)

    assert list(Embed.objects.order_by("pk").values_list("shows_numbers", flat=True)) == [False, True]
    assert [links.find_hashed(each.token_hash) for each in Embed.objects.all()] == list(Embed.objects.all())


@pytest.mark.parametrize("wrong", [{"sites": "*"}, {"sites": ""}, {"shows": "1:gone"}, {"name": ""}])
def test_a_wrong_wish_makes_no_link(sign_in: SignIn, grid: Board, wrong: dict[str, str]) -> None:
    answer = sign_in("supervisor").post("/screens/embeds/", {**POSTED, "shows": str(grid.pk), **wrong})

    assert (answer.status_code, Embed.objects.count()) == (400, 0)


def test_the_page_may_be_framed_by_its_sites_alone_and_needs_no_cookie(make_embed: MakeEmbed) -> None:
    _, token = make_embed()

    answer = Client().get(f"/embed/{token}/")

    policy = answer.headers["Content-Security-Policy"]
    assert policy.endswith(f"frame-ancestors {SITE}")
    assert "X-Frame-Options" not in answer.headers
    assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert not answer.cookies
    assert f'"embed.{token}"' in answer.content.decode()


def test_every_other_answer_refuses_frames(make_embed: MakeEmbed, sign_in: SignIn) -> None:
    make_embed()
    for client, path in ((Client(), "/embed/wrong/"), (sign_in("supervisor"), "/boards/main/")):
        answer = client.get(path)
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
        assert answer.headers["X-Frame-Options"] == "DENY"


def test_a_card_is_told_without_the_rest_of_its_board(make_embed: MakeEmbed, grid: Board) -> None:
    _, token = make_embed()

    page = Client().get(f"/embed/{token}/").content.decode()

    assert "Sales line" in page
    assert all(text not in page for text in (grid.notice, grid.name, '"502"', '"crew"', "/accounts/", "Edit board"))


def test_theme_and_language_are_the_links(make_embed: MakeEmbed, domain: Domain) -> None:
    _, token = make_embed(theme="light", language="de")

    page = Client(headers={"accept-language": "fr"}).get(f"/embed/{token}/").content.decode()

    assert '<html lang="de"' in page
    assert 'data-theme="light"' in page


def test_a_revoked_link_tells_its_sites_so_and_shows_nothing(make_embed: MakeEmbed, sign_in: SignIn) -> None:
    embed, token = make_embed()
    client = sign_in("supervisor")

    client.post(f"/screens/embeds/{embed.pk}/revoke/")

    answer = Client().get(f"/embed/{token}/")
    assert answer.status_code == 403
    assert "Sales line" not in answer.content.decode()
    assert f"frame-ancestors {SITE}" in answer.headers["Content-Security-Policy"]
    assert not links.revoke(embed)
    assert AuditEntry.objects.filter(what="embed link revoked").count() == 1


def test_links_end_with_their_company_and_their_card(make_embed: MakeEmbed, domain: Domain, grid: Board) -> None:
    _, token = make_embed()
    editing.update(grid, editing.BoardInput(grid.name))
    assert Client().get(f"/embed/{token}/").status_code == 403

    _, whole = make_embed(card="")
    assert Client().get(f"/embed/{whole}/").status_code == 200
    Domain.objects.update(is_active=False)
    assert Client().get(f"/embed/{whole}/").status_code == 403


def test_a_board_that_is_framed_is_not_deleted(make_embed: MakeEmbed, grid: Board) -> None:
    embed, _ = make_embed()
    with pytest.raises(editing.BoardInUse, match="Intranet"):
        editing.delete(grid)

    links.revoke(embed)
    editing.delete(grid)


def test_last_use_is_kept_once_a_minute(make_embed: MakeEmbed) -> None:
    embed, token = make_embed()
    Client().get(f"/embed/{token}/")
    first = Embed.objects.get().seen_at
    assert first is not None
    Client().get(f"/embed/{token}/")
    assert Embed.objects.get().seen_at == first

    Embed.objects.update(seen_at=timezone.now() - timedelta(minutes=2))
    Client().get(f"/embed/{token}/")
    assert (Embed.objects.get(pk=embed.pk).seen_at or first) > first


def test_pictures_are_those_of_the_board(make_embed: MakeEmbed, domain: Domain, grid: Board) -> None:
    values: dict[str, Any] = {"kind": "image/png", "width": 1, "height": 1, "data": b"pixels", "domain": domain}
    shown = Image.objects.create(name="shown", digest="a" * 64, **values)
    other = Image.objects.create(name="other", digest="b" * 64, **values)
    card = {"id": "pic", "kind": "image", "x": 0, "y": 0, "w": 3, "h": 3, "image": shown.pk, "fit": "contain"}
    Board.objects.update(layout={"rows": 6, "cards": [card]})
    _, token = make_embed(card="pic")

    status = [Client().get(f"/embed/{token}/images/{each.pk}/{each.digest}/").status_code for each in (shown, other)]

    assert status == [200, 404]
