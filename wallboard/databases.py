"""Where the database is: SQLite beside the program, or PostgreSQL, which may have several hosts and a replica."""

from typing import Any
from urllib.parse import urlsplit

import dj_database_url

from wallboard.environment import env, refuse
from wallboard.folders import BASE_DIR

REPLICA = "replica"  # the name of its connection
# A server that is cut off closes nothing: without these whoever asked it would wait for a quarter of an hour.
NOTICING = {"keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 3, "tcp_user_timeout": 8000}
# Nor does it notice that we are gone: a transaction of a host that was cut off would keep all others from its rows.
NOTICED = "-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3 -c tcp_user_timeout=8000"
SQLITE = {
    # A transaction that reads first and then writes fails at once in SQLite, whatever the timeout, unless it is
    # immediate. And in WAL only FULL syncs each commit: what was answered must survive a power cut.
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA temp_store=MEMORY;",
}
POSTGRESQL = {
    # A server that was away for long is looked for every two seconds: left alone, the pool would do so ever more
    # rarely, for up to five minutes.
    "pool": {"min_size": 1, "max_size": 12, "timeout": 5, "reconnect_timeout": 5, "max_idle": 60},
    "connect_timeout": 3,
    # jit: its compiling takes longer than any query of ours.
    "options": f"-c statement_timeout=20000 -c jit=off {NOTICED}",
}


def database(name: str, *, is_replica: bool = False) -> dict[str, Any]:
    """SQLite in WAL mode, fsynced at each commit; or PostgreSQL with a pool (persistent ones leak under ASGI)."""
    url = env.str(name, "") or f"sqlite:///{BASE_DIR / 'wallboard.sqlite3'}"
    settings = _parsed(url)
    settings["CONN_MAX_AGE"] = 0
    if settings["ENGINE"].endswith("sqlite3") and not is_replica:
        settings["OPTIONS"] = dict(SQLITE)
    elif settings["ENGINE"].endswith("postgresql"):
        # Connections that died with the server are not handed out.
        settings["CONN_HEALTH_CHECKS"] = True
        settings["OPTIONS"] = {**POSTGRESQL, **NOTICING, **settings.get("OPTIONS", {})}
    elif is_replica:
        refuse(f"{name} must be postgres://user:password@host/name, a replica of the one in DATABASE_URL.")
    else:
        refuse(f"{name} must be sqlite:///path or postgres://user:password@host/name.")
    return settings


def replica(name: str) -> dict[str, dict[str, Any]]:
    """The connection to the replica by its name, where one is set; tests see in it what the database itself holds."""
    if not env.str(name, "").strip():
        return {}
    return {REPLICA: {**database(name, is_replica=True), "TEST": {"MIRROR": "default"}}}


def _parsed(url: str) -> dict[str, Any]:
    """As dj_database_url reads it, and several hosts as libpq tries them: in turn, until one takes writes."""
    scheme, _, rest = url.partition("://")
    netloc, slash, tail = rest.partition("/")
    user_info, at, hosts = netloc.rpartition("@")
    is_several = "," in hosts
    if is_several:
        url = f"{scheme}://{user_info}{at}{hosts.partition(',')[0]}{slash}{tail}"
    try:
        settings: dict[str, Any] = dict(dj_database_url.parse(url))
        if is_several:
            places = [urlsplit(f"//{host}") for host in hosts.split(",")]
            settings["HOST"] = ",".join(place.hostname or "" for place in places)
            settings["PORT"] = ",".join(str(place.port or 5432) for place in places)
            settings["OPTIONS"] = {"target_session_attrs": "read-write", **settings.get("OPTIONS", {})}
    except (ValueError, dj_database_url.UnknownSchemeError):
        return {"ENGINE": ""}
    return settings
