"""Tokens: shown once, stored as a hash, limited like people, and refused at once when they are revoked."""

import logging
import re
from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import limits
from accounts.models import AuditEntry, Domain, Person, Team
from tests.api.conftest import MakeProgram, Program, problem
from tests.boards.conftest import SignIn
from wallboard.api import pacing, tokens
from wallboard.api.models import Token
from wallboard.api.tokens import TokenInput
from wallboard.logs import redacted


def posted(**more: object) -> dict[str, object]:
    return {"name": "Warehouse", "scopes": ["queues", "calls"], "every_queue": "1", **more}


def test_a_token_is_shown_once_and_only_its_hash_is_stored(floor: Domain, sign_in: SignIn) -> None:
    administrator = sign_in("administrator")
    shown = administrator.post("/setup/api/", posted(), follow=True).content.decode()

    text = re.findall(r"wbt_[\w-]+", shown)[0]
    token = Token.objects.get()
    assert (token.name, token.scopes, token.only_queues) == ("Warehouse", ["calls", "queues"], None)
    assert text not in str(vars(token))
    assert text not in administrator.get("/setup/api/").content.decode()
    assert text not in str(dict(administrator.session))
    assert tokens.find(text) == token
    entry = AuditEntry.objects.get(what="API key made")
    assert (entry.about, entry.changes) == ("Warehouse", {"scopes": ["", "calls queues"]})


def test_a_reload_or_a_double_click_makes_no_other_token(floor: Domain, sign_in: SignIn) -> None:
    administrator = sign_in("administrator")
    first = administrator.post("/setup/api/", posted())
    again = administrator.post("/setup/api/", posted(), follow=True)

    assert first.status_code == 302
    text = re.findall(r"wbt_[\w-]+", again.content.decode())[0]
    assert tokens.find(text) == Token.objects.get()


def test_a_token_without_scopes_or_name_is_refused_with_a_sentence(floor: Domain, sign_in: SignIn) -> None:
    answer = sign_in("administrator").post("/setup/api/", posted(scopes=[], name=""))

    assert answer.status_code == 400
    assert "Choose what it may ask for." in answer.content.decode()
    assert not Token.objects.exists()


def test_a_token_can_be_limited_to_queues_and_a_team(floor: Domain, sign_in: SignIn) -> None:
    team = limits.save_team(floor, "Day", ["301"])
    sign_in("administrator").post("/setup/api/", posted(every_queue="", queues=["801"], team=team.pk))

    token = Token.objects.get()
    assert (token.only_queues, token.only_team) == (["801"], team)
    assert limits.remove_team(team) is False
    assert Team.objects.filter(pk=team.pk).exists()


def test_the_team_of_another_company_is_refused(floor: Domain) -> None:
    other = Domain.objects.create(slug="other", name="Other", base_url="http://other.test")
    team = Team.objects.create(domain=other, name="Theirs")

    with pytest.raises(ValueError, match="another company"):
        tokens.make(floor, TokenInput("x", ("queues",), team=team))


def test_a_revoked_token_is_refused_from_the_next_request_on(program: Program, sign_in: SignIn) -> None:
    assert program.ask("queues").status_code == 200

    page = sign_in("administrator").post(f"/setup/api/{program.token.pk}/revoke/", follow=True)

    assert "is revoked" in page.content.decode()
    assert problem(program.ask("queues"))[0] == 401
    assert AuditEntry.objects.filter(what="API key revoked", about="Report script").count() == 1
    assert tokens.revoke(Token.objects.get()) is False


def test_nobody_revokes_a_token_of_another_company(program: Program, sign_in: SignIn) -> None:
    stranger = Domain.objects.create(slug="other", name="Other", base_url="http://other.test")
    administrator = sign_in("administrator")
    Person.objects.filter(user__isnull=False).update(domain=stranger)

    assert administrator.post(f"/setup/api/{program.token.pk}/revoke/").status_code == 404
    assert program.ask("queues").status_code == 200


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Bearer ",
        "Basic YWRtaW46YWRtaW4=",
        "Bearer wbt_000000000000_" + "A" * 43,
        "Bearer {prefix}_" + "A" * 43,
        "Bearer {text}x",
        "Bearer {text}' OR '1'='1",
        "Bearer " + "x" * 100_000,
    ],
)
def test_what_is_no_token_is_refused(program: Program, header: str) -> None:
    given = header.format(prefix=program.text[:16], text=program.text)

    answer = Client().get("/api/v1/queues", headers={"Authorization": given})

    assert problem(answer)[0] == 401
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


def test_neither_cookies_nor_the_address_carry_a_token(program: Program, sign_in: SignIn) -> None:
    assert sign_in("administrator").get("/api/v1/queues").status_code == 401
    assert Client().get("/api/v1/queues", {"token": program.text, "access_token": program.text}).status_code == 401


def test_the_company_of_a_token_can_be_switched_off(program: Program, floor: Domain) -> None:
    floor.is_active = False
    floor.save()

    assert program.ask("queues").status_code == 401


def test_the_last_use_is_kept_once_a_minute(program: Program) -> None:
    program.ask("queues")
    first = Token.objects.get().last_used_at
    program.ask("queues")
    assert Token.objects.get().last_used_at == first

    Token.objects.update(last_used_at=timezone.now() - timedelta(minutes=2))
    program.ask("queues")
    at = Token.objects.get().last_used_at
    assert at is not None
    assert timezone.now() - at < timedelta(minutes=1)


def test_wrong_tokens_from_one_address_are_slowed_down_and_right_ones_are_not(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pacing, "wrong_tokens", type(pacing.wrong_tokens)(2))
    wrong = {"Authorization": "Bearer wbt_guess"}
    answers = [Client().get("/api/v1/queues", headers=wrong) for _ in range(3)]

    assert [each.status_code for each in answers] == [401, 401, 429]
    assert answers[-1].headers["Retry-After"] == "600"
    assert program.ask("queues").status_code == 200


def test_a_token_stands_in_no_line_of_the_log(program: Program, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        program.ask("queues")
        program.ask("nowhere")

    assert program.text not in caplog.text
    assert redacted(f"GET /api/v1/queues?token={program.text} Bearer {program.text}").count(program.text[4:]) == 0


def test_only_administrators_see_the_page(floor: Domain, sign_in: SignIn, make_program: MakeProgram) -> None:
    assert sign_in("supervisor").get("/setup/api/").status_code == 403
    assert sign_in("agent").get("/setup/api/").status_code == 403
    make_program("queues", queues=("801",))
    assert "801" in sign_in("administrator").get("/setup/api/").content.decode()


def test_a_team_of_revoked_tokens_can_be_removed(floor: Domain, sign_in: SignIn, make_program: MakeProgram) -> None:
    team = Team.objects.create(domain=floor, name="Night")
    tokens.revoke(make_program("queues", team=team).token)
    assert not Token.objects.filter(only_team=team).exists()
    long_ago = make_program("queues", team=team).token
    Token.objects.filter(pk=long_ago.pk).update(revoked_at=timezone.now())
    import_module("wallboard.api.migrations.0002_revoked_tokens").forget_teams(apps, connection.schema_editor())

    sign_in("administrator").post(reverse("teams:remove_team", args=[team.pk]))

    assert not Team.objects.exists()
