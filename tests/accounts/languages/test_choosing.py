"""A page is in the language of its reader, a message in that of its receiver, a TV in its own."""

from typing import Any

import pytest
from django.test import Client

from accounts.languages import choosing
from accounts.models import Domain, Person, User
from tests.boards.conftest import SignIn, board, domain, plain_static_files, sign_in  # noqa: F401
from wallboard.boards.models import Board
from wallboard.screens import screens
from wallboard.setup.models import Brand

GERMAN, ITALIAN = "de-CH,de;q=0.9,en;q=0.8", "it-IT,it;q=0.9"
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def three_languages(settings: Any) -> None:
    """As if there were catalogues of these; Django's own are enough to tell them apart."""
    settings.LANGUAGES = [("en", "English"), ("de", "Deutsch"), ("ar", "العربية")]


def language(client: Client, path: str, asked: str = "") -> str:
    """In which language this page comes, as it says itself."""
    answer = client.get(path, headers={"Accept-Language": asked} if asked else {})
    assert answer.status_code in (200, 403, 404), answer.status_code
    page = answer.content.decode()
    stated = page.split('<html lang="')[1].split('"')[0]
    assert answer.headers["Content-Language"] == stated
    assert "Accept-Language" in answer.headers["Vary"]
    return stated


@pytest.mark.parametrize(
    ("asked", "expected"),
    [("", "en"), (GERMAN, "de"), ("ar-EG", "ar"), (ITALIAN, "en"), ("it, de;q=0.3", "de"), ("*", "en"), (";;", "en")],
)
def test_whoever_chose_none_gets_what_the_browser_asks_for(db: None, asked: str, expected: str) -> None:
    assert language(Client(), "/accounts/login/", asked) == expected


def test_a_browser_that_asks_for_none_of_them_gets_the_companys(domain: Domain, sign_in: SignIn) -> None:  # noqa: F811
    Domain.objects.update(language="de")
    other = Domain.objects.create(
        slug="other", name="Other", base_url="http://x.test", client_id="a", client_secret="b", language="ar"
    )
    client = sign_in("agent")

    assert language(client, "/accounts/", ITALIAN) == "de"
    assert language(Client(), "/accounts/login/", ITALIAN) == "en"  # two companies: whose would it be
    other.delete()
    assert language(Client(), "/accounts/login/", ITALIAN) == "de"


def test_what_somebody_chose_counts_before_the_browser(sign_in: SignIn) -> None:  # noqa: F811
    client = sign_in("agent")

    assert client.post("/accounts/language/", {"language": "ar"}).status_code == 302
    page = client.get("/accounts/", headers={"Accept-Language": GERMAN}).content.decode()

    assert '<html lang="ar" dir="rtl"' in page
    assert '<option value="ar" lang="ar" dir="auto" selected>العربية</option>' in page
    for nonsense in ("", "tlh"):
        client.post("/accounts/language/", {"language": nonsense})
        assert language(client, "/accounts/", GERMAN) == "de"


def test_an_error_page_is_in_the_language_of_its_reader(sign_in: SignIn) -> None:  # noqa: F811
    client = sign_in("agent")
    client.post("/accounts/language/", {"language": "de"})

    assert [language(client, path) for path in ("/no-such-page/", "/brand/", "/screen/")] == ["de"] * 3


def test_a_board_with_a_language_speaks_it_to_everybody(board: Board, sign_in: SignIn) -> None:  # noqa: F811
    client = sign_in("agent")

    assert language(client, "/boards/main/", GERMAN) == "de"
    Board.objects.update(language="ar")
    assert language(client, "/boards/main/", GERMAN) == "ar"
    assert language(client, "/boards/", GERMAN) == "de"


def test_a_tv_speaks_its_own_language_else_its_boards_else_the_companys(board: Board) -> None:  # noqa: F811
    screen, token = screens.create(board, "Wall")
    tv = Client()
    tv.get(f"/screen/{token}/")

    spoken = [language(tv, "/screen/", "ar")]
    Domain.objects.update(language="de")
    spoken.append(language(tv, "/screen/", "ar"))
    Board.objects.update(language="ar")
    spoken.append(language(tv, "/screen/", "en"))
    screen.refresh_from_db()
    screens.set_language(screen, "en")
    spoken += [language(tv, "/screen/", "ar"), language(tv, "/screen/waiting/", "ar")]

    assert spoken == ["en", "de", "ar", "en", "en"]


def test_a_supervisor_sets_the_language_of_a_tv_and_an_administrator_that_of_the_company(
    board: Board,  # noqa: F811
    sign_in: SignIn,  # noqa: F811
) -> None:
    screen, _token = screens.create(board, "Wall")
    form = {f"s{screen.pk}-name": "Wall", f"s{screen.pk}-board": board.pk, f"s{screen.pk}-language": "ar"}

    sign_in("supervisor").post(f"/screens/{screen.pk}/", form)
    sign_in("administrator").post("/brand/", {"colour": "", "direction": "", "language": "de"})
    screen.refresh_from_db()

    assert (screen.language, Domain.objects.get().language, Brand.objects.count()) == ("ar", "de", 1)


def test_a_message_is_in_the_language_of_who_gets_it(domain: Domain) -> None:  # noqa: F811
    user = User.objects.create_user("ana", language="ar")
    person = Person.objects.create(domain=domain, extension="101", user=user)
    domain.language = "de"

    assert choosing.of_receiver(person, domain) == "ar"
    assert choosing.of_receiver(None, domain) == "de"
    user.language = "tlh"  # a catalogue that a later release does not have
    assert choosing.of_receiver(person, domain) == "de"
