"""The addresses of Redis as the settings write them: one server, Sentinels that name it, or a cluster."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from urllib.parse import SplitResult, parse_qs, quote, unquote, urlsplit

from redis.backoff import NoBackoff
from redis.retry import Retry

SERVER_SCHEMES = ("redis", "rediss", "unix")
SENTINEL, CLUSTER = ("redis+sentinel", "rediss+sentinel"), ("redis+cluster", "rediss+cluster")
PORTS = dict.fromkeys(SENTINEL, 26379) | dict.fromkeys(CLUSTER, 6379)
SENTINEL_OPTIONS = ("sentinel_username", "sentinel_password")
# Named as redis-py names them in rediss://…; without a CA file those of the system count.
TLS_OPTIONS = ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile")
Node = tuple[str, int]


@dataclass(frozen=True)
class Address:
    """Where to find Redis. `service` is the name by which Sentinels know the primary, "" without them."""

    url: str
    scheme: str
    nodes: tuple[Node, ...] = ()
    service: str = ""
    database: int = 0
    username: str = ""
    password: str = ""
    sentinel_username: str = ""
    sentinel_password: str = ""
    tls: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_sentinel(self) -> bool:
        """Whether Sentinels are asked which server is the primary."""
        return self.scheme in SENTINEL

    @property
    def is_cluster(self) -> bool:
        """Whether keys are spread over several primaries."""
        return self.scheme in CLUSTER

    @property
    def is_encrypted(self) -> bool:
        """Whether all talk is TLS, that with the Sentinels as well."""
        return self.scheme.startswith("rediss")

    @property
    def client_tls(self) -> dict[str, Any]:
        """What a client of one server must be told for that; it checks certificate and host name by itself."""
        return {"ssl": True, **self.tls} if self.is_encrypted else {}

    @property
    def broker_tls(self) -> dict[str, str] | None:
        """The same for Celery, whose transport checks no certificate unless it is told to; None without TLS."""
        return {"ssl_cert_reqs": "required", **self.tls} if self.is_encrypted else None

    @property
    def login(self) -> dict[str, str]:
        """User name and password for clients, as far as there are any."""
        return {name: value for name in ("username", "password") if (value := getattr(self, name))}

    @property
    def sentinel_login(self) -> dict[str, str]:
        """The same for the Sentinels themselves."""
        return {name: value for name in ("username", "password") if (value := getattr(self, f"sentinel_{name}"))}

    @property
    def broker(self) -> tuple[str, dict[str, Any]]:
        """The address as Celery wants it, and what else its transport must know of it."""
        if not self.is_sentinel:
            return self.url, {}
        login = f"{_quoted(self.username)}:{_quoted(self.password)}@" if self.login else ""
        places = [f"sentinel://{login}{_host(host)}:{port}/{self.database}" for host, port in self.nodes]
        # One try each: redis-py would ask a Sentinel that is cut off for half a minute, and the next one knows it, too.
        patience = {"socket_timeout": 1.0, "socket_connect_timeout": 1.0, "retry": Retry(NoBackoff(), 0)}
        of_sentinels = patience | self.sentinel_login | self.client_tls
        return ";".join(places), {"master_name": self.service, "sentinel_kwargs": of_sentinels}


@cache
def parsed(url: str) -> Address:
    """Raises ValueError for what is no address of Redis.

    `redis://…` and `rediss://…` are left to redis-py; `redis+sentinel://[user:password@]host:port,host:port/name[/0]`
    and `redis+cluster://[user:password@]host:port,host:port` are ours, as are `rediss+…` for TLS, to the Sentinels too.
    """
    scheme, _, _ = url.partition("://")
    if scheme in SERVER_SCHEMES:
        parts = urlsplit(url)
        _port(parts)
        path = parts.path.strip("/") if scheme != "unix" else ""
        named = parse_qs(parts.query).get("db", [path])[0]
        return Address(url, scheme, database=int(named) if named.isdecimal() else 0)
    if scheme not in PORTS:
        raise ValueError("no address of Redis")
    parts = urlsplit(url)
    user_info, _, places = parts.netloc.rpartition("@")
    username, _, password = user_info.partition(":")
    service, database = _path(scheme, parts.path.strip("/"))
    known = SENTINEL_OPTIONS if scheme in SENTINEL else ()
    options = _options(parts.query, known + (TLS_OPTIONS if scheme.startswith("rediss") else ()))
    return Address(
        url,
        scheme,
        tuple(_node(place, PORTS[scheme]) for place in places.split(",")),
        service,
        database,
        unquote(username),
        unquote(password),
        sentinel_username=options.get("sentinel_username", ""),
        sentinel_password=options.get("sentinel_password", ""),
        tls={name: options[name] for name in TLS_OPTIONS if name in options},
    )


def _node(place: str, default_port: int) -> Node:
    # urlsplit knows the brackets of IPv6 and what a port may be; it takes one host at a time.
    parts = urlsplit(f"//{place}")
    if not parts.hostname:
        raise ValueError("a host is missing")
    return parts.hostname, _port(parts) or default_port


def _port(parts: SplitResult) -> int | None:
    try:
        return parts.port
    except ValueError:
        # Not what urllib says of it: that quotes a part of the password.
        raise ValueError("the port is none; write / in a password as %2F") from None


def _options(query: str, known: tuple[str, ...]) -> dict[str, str]:
    given = parse_qs(query, strict_parsing=bool(query))
    if unknown := given.keys() - set(known):
        raise ValueError(f"unknown: {', '.join(sorted(unknown))}")
    return {name: values[0] for name, values in given.items()}


def _path(scheme: str, path: str) -> tuple[str, int]:
    if scheme in CLUSTER:
        if path not in ("", "0"):
            raise ValueError("a cluster has the database 0 only")
        return "", 0
    service, _, database = path.partition("/")
    if not service or not (database or "0").isdecimal():
        raise ValueError("the path names the service, and may name a database")
    return unquote(service), int(database or 0)


def _quoted(text: str) -> str:
    return quote(text, safe="")


def _host(host: str) -> str:
    return f"[{host}]" if ":" in host else host
