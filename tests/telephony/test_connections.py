"""What connections.py relies on inside requests and urllib3: where an upgrade moves it, this says what."""

import inspect
from typing import Any

import pytest
import requests
from requests.adapters import HTTPAdapter
from urllib3 import HTTPResponse, PoolManager
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool

INTERNALS: list[tuple[Any, str, tuple[str, ...], str]] = [
    (HTTPConnection, "_new_conn", ("self",), "opens the TCP connection whose second handle a deadline shuts down"),
    (HTTPSConnection, "_new_conn", ("self",), "opens the TCP connection below TLS"),
    (HTTPConnection, "request", ("self", "method", "url"), "tells that a kept connection is used again"),
    (HTTPConnection, "close", ("self",), "is when the second handle is given up"),
    (HTTPAdapter, "init_poolmanager", ("self",), "makes the pool manager that gets our pools"),
    (HTTPAdapter, "proxy_manager_for", ("self", "proxy"), "makes that of a proxy"),
    (HTTPResponse, "read", ("self", "amt", "decode_content"), "reads the body without unpacking it"),
    (requests.Session, "merge_environment_settings", ("self", "url"), "knows proxies and certificates"),
]


@pytest.mark.parametrize(("owner", "name", "parameters", "purpose"), INTERNALS)
def test_a_method_that_is_extended_or_called_is_still_there(
    owner: Any, name: str, parameters: tuple[str, ...], purpose: str
) -> None:
    method = getattr(owner, name, None)

    assert callable(method), f"{owner.__name__}.{name} is gone; it {purpose}"
    assert set(parameters) <= set(inspect.signature(method).parameters), (
        f"{owner.__name__}.{name} takes other arguments"
    )


@pytest.mark.parametrize("pool", [HTTPConnectionPool, HTTPSConnectionPool])
def test_pools_still_make_connections_of_a_named_class(pool: Any) -> None:
    assert issubclass(pool.ConnectionCls, HTTPConnection), "pools no longer ask ConnectionCls for their connections"


def test_a_pool_manager_still_looks_up_pools_by_scheme() -> None:
    assert set(PoolManager().pool_classes_by_scheme) == {"http", "https"}, "pools are no longer chosen by scheme"


def test_a_connection_still_holds_its_socket_under_the_same_name() -> None:
    assert HTTPConnection("127.0.0.1").sock is None, "a connection no longer tells by `sock` whether it is open"
