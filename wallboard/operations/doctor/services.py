"""Redis, the processes, the mail server: what the site works with."""

from collections.abc import Iterator

import redis
from django.conf import settings
from django.db import DatabaseError, connection

from wallboard import health
from wallboard.live import connections
from wallboard.notifications import mail_servers
from wallboard.notifications.channels import email
from wallboard.notifications.channels.outcomes import NotSent
from wallboard.operations import problems
from wallboard.operations.doctor.findings import Finding, amount, good, trouble, watch

OLDEST_REDIS = (6, 2)
MOST_OF_MEMORY = 0.8
MANY_TASKS = 1000
TASKS = "celery"


def redis_server() -> Iterator[Finding]:
    """Whether Redis answers, which it is, and whether it may forget what it was given."""
    try:
        info = connections.client().info()
        policy = connections.client().config_get("maxmemory-policy").get("maxmemory-policy", "")
    except redis.ResponseError:
        info, policy = connections.client().info(), ""  # some hosted ones keep their configuration to themselves
    except redis.RedisError as error:
        yield trouble("Redis", f"It does not answer: {error}.", "Start it, or correct REDIS_URL.")
        return
    version = str(info.get("redis_version", "0"))
    if tuple(int(part) for part in version.split(".")[:2]) < OLDEST_REDIS:
        wanted = ".".join(map(str, OLDEST_REDIS))
        yield trouble("Redis", f"{version} is too old.", f"Install Redis {wanted} or newer.")
    used, most = int(info.get("used_memory", 0)), int(info.get("maxmemory", 0))
    policy = policy or str(info.get("maxmemory_policy", ""))
    if policy not in ("", "noeviction"):
        text = f"maxmemory-policy is {policy}: it may throw away tasks and feeds when memory is short."
        yield trouble("Redis", text, "Set `maxmemory-policy noeviction`.")
    elif most and used > MOST_OF_MEMORY * most:
        text = f"{amount(used)} of {amount(most)} are used: soon it takes nothing more."
        yield trouble("Redis", text, "Raise maxmemory, or see what else is stored in it.")
    else:
        yield good("Redis", f"{version}, {amount(used)} used" + (f" of {amount(most)}." if most else "."))


def task_queue() -> Iterator[Finding]:
    """How many tasks wait for the worker."""
    try:
        waiting = int(connections.client().llen(TASKS))
    except redis.RedisError:
        return  # another line says that Redis is away
    if waiting > MANY_TASKS:
        yield trouble(
            "Tasks", f"{waiting:,} tasks wait.", "Start more workers, or see in the worker's log what it does."
        )
    else:
        yield good("Tasks", f"{waiting} wait.")


def processes() -> Iterator[Finding]:
    """Web, worker and beat."""
    names = {"web": "Web", "worker": "Worker", "beat": "Beat", "spool": "Spool"}
    has_redis = health.redis_answers()
    try:
        found = {each.key: each for each in problems.of_database(has_redis=has_redis)}
    except DatabaseError:
        connection.close()
        return
    for key, name in names.items():
        if key in found:
            text, _, advice = found[key].text.partition(". ")
            yield trouble(name, f"{text.rstrip('.')}.", advice or "Start it, and see its log.")
    if not found and not has_redis:
        yield watch("Processes", "Without Redis nobody knows whether worker and beat run.", "Mend Redis first.")
    elif not found:
        yield good("Processes", "Web, worker and beat do their work.")


def mail() -> Iterator[Finding]:
    """Whether the installation's mail server lets us in."""
    server = mail_servers.of_installation()
    if server is None:
        advice = "Set SMTP_URL and MAIL_FROM, and OPERATOR_MAIL for `manage.py watch`."
        yield watch("Mail", "No mail server is set: alerts and trouble reach nobody by mail.", advice)
        return
    try:
        email.try_server(server)
    except NotSent as error:
        yield trouble("Mail", f"{server.host}:{server.port} does not let us in: {error}", "Correct SMTP_URL.")
        return
    if not settings.OPERATOR_MAIL:
        text = f"{server.host} lets us in; nobody is named in OPERATOR_MAIL."
        yield watch("Mail", text, "Set OPERATOR_MAIL, so that `manage.py watch` can tell somebody.")
        return
    yield good("Mail", f"{server.host}:{server.port} lets us in.")
