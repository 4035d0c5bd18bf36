"""The process that sends one message through apprise: run by channels/apprise.py, by its path, and by nothing else.

A hook of the interpreter sees every connection and file before it is opened. It keeps the plugins, which are written in
good faith, from doing what a hostile address asks of them; a hostile plugin it would not stop, and none is ever loaded.
"""

import json
import logging
import os
import resource
import socket
import sys
from pathlib import Path
from typing import Any

BASE = Path(__file__).resolve().parents[3]
MOST_MEMORY, MOST_CPU_SECONDS, MOST_FILES = 1 << 30, 15, 64
READ_SECONDS = 10
LIBRARIES = tuple(
    f"{Path(each).resolve()}{os.sep}"
    for each in (sys.prefix, sys.base_prefix, os.path.dirname(os.__file__), "/usr/lib", "/usr/share/zoneinfo")
)
SYSTEM_FILES = """/etc/hosts /etc/resolv.conf /etc/nsswitch.conf /etc/localtime /etc/timezone /etc/mime.types
    /etc/ssl/openssl.cnf /dev/null /dev/urandom"""
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
CLOSED_EVENTS = """subprocess. os.system os.exec os.posix_spawn os.spawn os.fork os.remove os.rename os.mkdir os.rmdir
    os.link os.symlink os.chmod os.chown shutil. pty. socket.bind socket.sendto socket.sendmsg ftplib. smtplib. poplib.
    imaplib."""
# Chat, SMS and pagers that are reached over HTTP. Neither programs of this machine (dbus, syslog …) nor other protocols
# (smpp, mqtt, irc …), whose plugins nobody has looked at from here; mail has a channel of its own.
SERVICES = """slack workflow workflows discord mmost mmosts rocket rockets gchat wxteams webex zulip zoom tgram
    matrix matrixs ryver flock guilded cliq zcliq zohocliq twist nctalk nctalks synology synologys lark feishu
    dingtalk wecombot stackfield revolt humhub humhubs line whatsapp threema viber signal signals ntfy ntfys
    gotify gotifys pover pbul prowl bark barks join pushed psafer psafers simplepush spush pushy
    pushdeer pushdeers onesignal push notica noticas hassio hassios ifttt pagerduty pagertree
    opsgenie squadcast splunk victorops signl4 ilert incidentio betterstack firehydrant spike xmatters goalert
    goalerts jira twilio vonage nexmo msgbird sinch plivo clicksend clickatell infobip telnyx telesign bulksms
    bulkvs sns seven 46elks elks d7sms cm msg91 atalk burstsms kudosity kavenegar octopush smsmgr
    smsmanager smseagle smseagles httpsms voipms freemobile sfr ringc exotel gupshup smsc smstunnel serwersms
    mobilemessage mobilemsg json jsons xml xmls form forms"""
FILE_OPTIONS = ("keyfile", "template", "subfile", "attach", "attach-as", "pgpkey", "cert", "key_file", "include")


class Closed(PermissionError):
    """A plugin was about to do what is not permitted; the text is the reason by its short name."""


class Limits:
    """What this process may do from now on; the first thing that it was kept from is remembered."""

    def __init__(self, allowed: list[str]) -> None:
        sys.path.insert(0, str(BASE))  # for this import only: nothing else of ours is needed in here
        from wallboard.notifications import permitted_addresses

        sys.path.remove(str(BASE))
        self._addresses = permitted_addresses
        self._allowed = permitted_addresses.networks(allowed)
        self._authorities = os.environ.get("REQUESTS_CA_BUNDLE", "")
        self._closed = tuple(CLOSED_EVENTS.split())
        self.refused = ""

    def hold(self) -> None:
        """From now on; there is no way back."""
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (MOST_CPU_SECONDS, MOST_CPU_SECONDS))
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_NOFILE, (MOST_FILES, MOST_FILES))
        socket.setdefaulttimeout(READ_SECONDS)
        self._demand_tls()
        sys.addaudithook(self._judge)

    def _judge(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "socket.connect":
            self._judge_connection(arguments[1])
        elif event == "open":
            self._judge_file(*arguments)
        elif event.startswith(self._closed):
            self._refuse("closed")

    def _judge_connection(self, address: Any) -> None:
        # A name in place of an address would be resolved after we have looked.
        if not isinstance(address, tuple) or not self._addresses.is_permitted(str(address[0]), self._allowed):
            self._refuse("network")

    def _judge_file(self, path: Any, _mode: Any, flags: int) -> None:
        if isinstance(path, int):
            return
        if flags & WRITING:
            self._refuse("option")
        name = os.path.realpath(os.fsdecode(path))
        is_open = name in (*SYSTEM_FILES.split(), self._authorities) or name.startswith(LIBRARIES)
        if not is_open:
            self._refuse("option")

    def _demand_tls(self) -> None:
        """Without TLS only the addresses that the operator lists are spoken to."""
        from urllib3.connection import HTTPConnection

        connect = HTTPConnection.connect

        def connect_inside(connection: HTTPConnection) -> None:
            connect(connection)
            assert connection.sock is not None
            if not self._addresses.is_listed(connection.sock.getpeername()[0], self._allowed):
                connection.close()
                self._refuse("plain")

        HTTPConnection.connect = connect_inside  # type: ignore[method-assign, assignment]

    def _refuse(self, reason: str) -> None:
        self.refused = self.refused or reason
        raise Closed(reason)


def main() -> None:
    """Read the job, say what came of it."""
    job = json.load(sys.stdin)
    limits = Limits(job["allowed"])
    words = listening()
    try:
        answer = done(job, limits)
    except Exception as error:
        # A plugin may stumble over anything that an address or an answer holds.
        words.append(type(error).__name__)
        answer = {}
    # A library may look for a file in vain and do without it: what was sent was sent.
    if limits.refused and not answer.get("is_sent") and "text" in job:
        answer = {"refused": limits.refused}
    json.dump({"words": " ".join(" ".join(words).split())[:1_000], **answer}, sys.stdout)


def done(job: dict[str, Any], limits: Limits) -> dict[str, Any]:
    """What was made of the job: a refusal, or which service it is and whether it took the message."""
    import apprise

    asset = apprise.AppriseAsset(
        app_id="Wallboard", app_desc="Wallboard", app_url="", image_url_mask="", image_url_logo="",
        async_mode=False, http_redirects=False, secure_logging=True, plugin_paths=[],
        storage_mode="memory", pgp_autogen=False, pem_autogen=False,
    )  # fmt: skip
    limits.hold()
    plugin = apprise.Apprise.instantiate(job["address"], asset=asset, suppress_exceptions=True)
    if plugin is None:
        return {"refused": "unknown"}
    if not schemas_of(plugin) & set(SERVICES.split()):
        return {"refused": "closed"}
    if not plugin.verify_certificate or has_file_option(job["address"]):
        return {"refused": "option"}
    plugin.redirects = False
    service = {"service": str(plugin.service_name), "masked": masked(plugin)}
    if "text" not in job:
        return service
    sender = apprise.Apprise(asset=asset)
    sender.add(plugin)
    is_sent = sender.notify(job["text"], title=job["title"], notify_type=job["level"], body_format="text")
    return {**service, "is_sent": bool(is_sent)}


def masked(plugin: Any) -> str:
    """The address as people may see it: secrets shortened, and of a server of one's own no more than its name."""
    address = str(plugin.url(privacy=True)).split("?")[0]
    return "/".join(address.split("/")[:3]) if "host" in plugin.template_tokens else address


def schemas_of(plugin: Any) -> set[str]:
    """Every schema under which this service is known."""
    found: set[str] = set()
    for each in (plugin.protocol, plugin.secure_protocol):
        found |= {each} if isinstance(each, str) else set(each or ())
    return found


def has_file_option(address: str) -> bool:
    """Whether the address names a file: of this machine, or to be fetched from elsewhere first."""
    from urllib.parse import parse_qsl, urlsplit

    names = {name.lower().lstrip("+-:") for name, _value in parse_qsl(urlsplit(address).query, keep_blank_values=True)}
    return bool(names & set(FILE_OPTIONS))


def listening() -> list[str]:
    """What apprise says on its way, from now on."""
    words: list[str] = []

    class Keeping(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            words.append(record.getMessage())

    log = logging.getLogger("apprise")
    log.handlers, log.propagate = [Keeping(logging.WARNING)], False
    log.setLevel(logging.WARNING)
    return words


if __name__ == "__main__":
    main()
