"""The OpenAPI document: whole, valid by its own rules, and public."""

import re

import msgspec
from django.test import Client

from tests.api.conftest import Program, problem
from wallboard.api import catalogue, openapi
from wallboard.api.scopes import SCOPES


def test_everybody_may_read_what_the_api_answers() -> None:
    answer = Client().get("/api/v1/openapi.json")
    again = Client().get("/api/v1/openapi.json", headers={"If-None-Match": answer.headers["ETag"]})

    assert answer.json()["openapi"] == "3.1.0"
    assert again.status_code == 304
    assert problem(Client().post("/api/v1/openapi.json")) == (405, "This address takes GET, HEAD.")


def test_every_endpoint_and_every_reference_is_in_it() -> None:
    told = msgspec.json.decode(openapi.document())
    found = {(path, method.upper()) for path, methods in told["paths"].items() for method in methods}

    assert {(f"/{each.path}", each.method) for each in catalogue.ENDPOINTS} <= found
    assert {each.scope for each in catalogue.ENDPOINTS} == set(SCOPES) - {"numbers"}
    names = set(re.findall(r"#/components/schemas/(\w+)", openapi.document().decode()))
    assert names <= set(told["components"]["schemas"])
    ids = [each["operationId"] for methods in told["paths"].values() for each in methods.values()]
    assert len(set(ids)) == len(ids)


def test_every_address_without_names_answers(program: Program) -> None:
    for endpoint in catalogue.ENDPOINTS:
        if endpoint.method == "GET" and "{" not in endpoint.path:
            assert program.ask(endpoint.path).status_code == 200, endpoint.path
