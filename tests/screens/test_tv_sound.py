"""The sound of a TV: turned on at pairing or from the desk, proved by a tone, heard when there is an alert."""

from django.test import Client

from tests.boards.conftest import Show, SignIn
from tests.boards.test_board_alerts import raised, sounds
from tests.screens.test_pairing import code_on
from wallboard.boards.models import Board
from wallboard.screens.models import Screen


def test_sound_is_turned_on_with_the_code(board: Board, sign_in: SignIn) -> None:
    supervisor, tvs = sign_in("supervisor"), [Client(), Client()]
    for tv, more in zip(tvs, ({}, {"pair-has_sound": "on"}), strict=True):
        body = {"pair-code": code_on(tv), "pair-name": "Hall", "pair-board": board.pk}
        assert supervisor.post("/screens/pair/", {**body, **more}).status_code == 302

    assert list(Screen.objects.order_by("pk").values_list("has_sound", flat=True)) == [False, True]
    tvs[1].get("/pair/state/")
    assert '"sound": true' in tvs[1].get("/screen/").content.decode()
    assert "Turn its sound on" in supervisor.get("/screens/").content.decode()


def test_a_tv_with_sound_is_heard_on_turning_on_and_on_an_alert(show_tv: Show) -> None:
    tv = show_tv(has_touch=True)
    tv.fill(4, 4, 1)
    sounds(tv.page)

    tv.say({"order": "settings", "name": "North wall", "sound": True})
    tv.page.mouse.click(400, 400)
    tv.page.wait_for_function("() => window.sounded === 1")  # the test tone
    raised(tv, "501")
    tv.page.wait_for_function("() => window.sounded === 2")
    tv.say({"order": "settings", "name": "North wall", "sound": False})
    tv.say({"order": "settings", "name": "North wall", "sound": True})
    tv.page.wait_for_function("() => window.sounded >= 3")


def test_a_tv_that_was_just_paired_plays_its_tone(show_tv: Show) -> None:
    tv = show_tv(has_touch=True)
    tv.page.add_init_script(
        "window.sounded = 0; document.addEventListener('sounded', () => { window.sounded += 1; });"
        "sessionStorage.setItem('wallboard.paired', '1');"
    )
    settings = "(() => { const page = document.getElementById('page');"
    tv.page.add_init_script(
        "document.addEventListener('readystatechange', " + settings + " if (page) page.textContent ="
        " page.textContent.replace('\"sound\": false', '\"sound\": true'); }));"
    )
    tv.page.reload()
    tv.fill(4, 4, 1)

    tv.page.wait_for_function("() => window.sounded === 1")
    assert tv.page.evaluate("sessionStorage.getItem('wallboard.paired')") is None
