"""How REDIS_URL and TASKS_REDIS_URL are read."""

import pytest

from wallboard.live.backends import addresses
from wallboard.live.backends.addresses import parsed


def test_one_server_is_left_to_its_client() -> None:
    assert (parsed("redis://host:6379/3").database, parsed("rediss://u:p@host").database) == (3, 0)
    assert parsed("redis://host:6379/3?db=5").database == 5
    assert parsed("redis://host:6379/3").broker == ("redis://host:6379/3", {})


def test_sentinels_are_named_with_the_service_and_logins() -> None:
    found = parsed("redis+sentinel://me:p%40ss@one:1,two,[::1]:3/main/2?sentinel_password=s%2Fx")

    assert (found.nodes, found.service, found.database) == ((("one", 1), ("two", 26379), ("::1", 3)), "main", 2)
    assert (found.login, found.sentinel_login) == ({"username": "me", "password": "p@ss"}, {"password": "s/x"})
    url, options = found.broker
    assert url.split(";")[0] == "sentinel://me:p%40ss@one:1/2"
    assert url.split(";")[2] == "sentinel://me:p%40ss@[::1]:3/2"
    assert (options["master_name"], options["sentinel_kwargs"]["password"]) == ("main", "s/x")
    assert options["sentinel_kwargs"]["retry"].get_retries() == 0


def test_a_cluster_has_nodes_and_one_database() -> None:
    found = parsed("redis+cluster://:secret@one,two:7001")

    assert (found.is_cluster, found.nodes) == (True, (("one", 6379), ("two", 7001)))
    assert (found.login, found.database) == ({"password": "secret"}, 0)


def test_tls_is_for_servers_and_sentinels_alike() -> None:
    found = parsed("rediss+sentinel://one/main?ssl_ca_certs=/etc/ca.pem&sentinel_password=x")
    cluster = parsed("rediss+cluster://one")

    assert (found.is_sentinel, found.is_encrypted, found.password) == (True, True, "")
    assert found.client_tls == {"ssl": True, "ssl_ca_certs": "/etc/ca.pem"}
    assert found.broker[1]["sentinel_kwargs"].items() >= {"ssl": True, "password": "x"}.items()
    assert found.broker_tls == {"ssl_cert_reqs": "required", "ssl_ca_certs": "/etc/ca.pem"}
    assert (cluster.is_cluster, cluster.client_tls) == (True, {"ssl": True})
    assert parsed("rediss://one").broker_tls == {"ssl_cert_reqs": "required"}
    assert (parsed("redis://one").broker_tls, parsed("redis+cluster://one").client_tls) == (None, {})


@pytest.mark.parametrize(
    "url",
    [
        "",
        "one:6379",
        "http://one",
        "redis+sentinel://one",
        "redis+sentinel://one,/main",
        "redis+sentinel://one:port/main",
        "redis+sentinel://one/main/x",
        "redis+sentinel://one/main?timeout=3",
        "redis+cluster://one/1",
        "redis+cluster://one?sentinel_password=x",
        "redis+cluster://one?ssl_ca_certs=/etc/ca.pem",
    ],
)
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(ValueError):
        addresses.parsed(url)
