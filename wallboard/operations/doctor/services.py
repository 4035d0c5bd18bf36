"""Redis, the processes, the mail server: what the site works with."""

from collections.abc import Iterator
from typing import Any

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.utils.formats import number_format
from django.utils.translation import gettext as _

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
        servers = connections.servers()
    except redis.RedisError as error:
        yield trouble(
            "Redis", _("It does not answer: %(reason)s.") % {"reason": error}, _("Start it, or correct REDIS_URL.")
        )
        return
    for info in servers:
        yield from _server(info)


def _server(info: dict[str, Any]) -> Iterator[Finding]:
    version = str(info.get("redis_version", "0"))
    if tuple(int(part) for part in version.split(".")[:2]) < OLDEST_REDIS:
        wanted = ".".join(map(str, OLDEST_REDIS))
        yield trouble(
            "Redis",
            _("%(version)s is too old.") % {"version": version},
            _("Install Redis %(wanted)s or newer.") % {"wanted": wanted},
        )
    used, most = int(info.get("used_memory", 0)), int(info.get("maxmemory", 0))
    policy = str(info.get("maxmemory_policy", ""))
    if policy not in ("", "noeviction"):
        text = _("maxmemory-policy is %(policy)s: it may throw away tasks and feeds when memory is short.") % {
            "policy": policy
        }
        yield trouble("Redis", text, _("Set `maxmemory-policy noeviction`."))
    elif most and used > MOST_OF_MEMORY * most:
        text = _("%(used)s of %(most)s are used: soon it takes nothing more.") % {
            "used": amount(used),
            "most": amount(most),
        }
        yield trouble("Redis", text, _("Raise maxmemory, or see what else is stored in it."))
    else:
        yield good("Redis", _used(version, used, most))


def _used(version: str, used: int, most: int) -> str:
    values = {"version": version, "used": amount(used), "most": amount(most)}
    return (_("%(version)s, %(used)s of %(most)s used.") if most else _("%(version)s, %(used)s used.")) % values


def task_queue() -> Iterator[Finding]:
    """How many tasks wait for the worker."""
    try:
        waiting = int(connections.broker().llen(TASKS))
    except redis.RedisError:
        return  # another line says that Redis is away
    if waiting > MANY_TASKS:
        yield trouble(
            _("Tasks"),
            _("Waiting: %(count)s.") % {"count": number_format(waiting, force_grouping=True)},
            _("Start more workers, or see in the worker's log what it does."),
        )
    else:
        yield good(_("Tasks"), _("Waiting: %(count)s.") % {"count": waiting})


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
            yield trouble(name, found[key].text, found[key].advice or _("Start it, and see its log."))
    if not found and not has_redis:
        yield watch(
            _("Processes"), _("Without Redis nobody knows whether worker and beat run."), _("Mend Redis first.")
        )
    elif not found:
        yield good(_("Processes"), _("Web, worker and beat do their work."))


def mail() -> Iterator[Finding]:
    """Whether the installation's mail server lets us in."""
    server = mail_servers.of_installation()
    if server is None:
        advice = _("Set SMTP_URL and MAIL_FROM, and OPERATOR_MAIL for `manage.py watch`.")
        yield watch(_("Mail"), _("No mail server is set: alerts and trouble reach nobody by mail."), advice)
        return
    try:
        email.try_server(server)
    except NotSent as error:
        yield trouble(
            _("Mail"),
            _("%(host)s:%(port)s does not let us in: %(reason)s")
            % {"host": server.host, "port": server.port, "reason": error},
            _("Correct SMTP_URL."),
        )
        return
    if not settings.OPERATOR_MAIL:
        text = _("%(host)s lets us in; nobody is named in OPERATOR_MAIL.") % {"host": server.host}
        yield watch(_("Mail"), text, _("Set OPERATOR_MAIL, so that `manage.py watch` can tell somebody."))
        return
    yield good(_("Mail"), _("%(host)s:%(port)s lets us in.") % {"host": server.host, "port": server.port})
