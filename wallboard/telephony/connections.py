"""Connections to the provider that stay open between calls, and that a watching thread can cut off at any moment.

Neither requests nor urllib3 lets a caller end an exchange from outside, so their connection classes are extended here;
tests/telephony/test_connections.py names what of them this relies on.
"""

import os
import resource
import socket
import threading
from collections.abc import Callable, Mapping
from functools import lru_cache
from http.cookiejar import DefaultCookiePolicy
from typing import Any
from urllib.parse import urlsplit

import requests
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool

# One pool for each provider, kept for as long as the system lets us have files: each connection takes two.
MOST_PROVIDERS = max(10, min(1_000, resource.getrlimit(resource.RLIMIT_NOFILE)[0] // 8))
CONNECTIONS_EACH = 32  # of one provider that stay open; as many as may be asked at once (queues/rounds/polls.py)
watcher = threading.local()  # .use(handle, is_reused): called with the socket that this thread is about to use


class _Cuttable:
    """A connection with a second handle on its socket: shutting that down ends any wait, a TLS handshake too."""

    sock: socket.socket | None
    handle: socket.socket | None = None

    def _new_conn(self) -> socket.socket:
        opened: socket.socket = super()._new_conn()  # type: ignore[misc]
        # A duplicate: the connection may close its own handle at any moment, and the system may give the number of that
        # to another socket, which would then be shut down in its place.
        self.handle = opened.dup()
        try:
            _report(self.handle, False)
        except BaseException:
            # The watcher refuses by an exception once the deadline has passed; no socket may stay behind then.
            opened.close()
            self.handle.close()
            raise
        return opened

    def request(self, *args: Any, **kwargs: Any) -> None:
        # Without a socket urllib3 connects inside request(), and _new_conn reports that one.
        if self.sock is not None and self.handle is not None:
            _report(self.handle, True)
        super().request(*args, **kwargs)  # type: ignore[misc]

    def close(self) -> None:
        super().close()  # type: ignore[misc]
        if self.handle is not None:
            self.handle.close()
            self.handle = None


def _report(handle: socket.socket, is_reused: bool) -> None:
    use: Callable[[socket.socket, bool], None] | None = getattr(watcher, "use", None)
    if use is not None:
        use(handle, is_reused)


class _Connection(_Cuttable, HTTPConnection):
    pass


class _TlsConnection(_Cuttable, HTTPSConnection):
    pass


class _Pool(HTTPConnectionPool):
    ConnectionCls = _Connection


class _TlsPool(HTTPSConnectionPool):
    ConnectionCls = _TlsConnection


class _Adapter(HTTPAdapter):
    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = {"http": _Pool, "https": _TlsPool}

    # For a proxy urllib3 makes pools of its own: nobody could cut off their connections.
    def proxy_manager_for(self, proxy: str, **kwargs: Any) -> Any:
        manager = super().proxy_manager_for(proxy, **kwargs)
        manager.pool_classes_by_scheme = {"http": _Pool, "https": _TlsPool}
        return manager


def _as_it_is(request: requests.PreparedRequest) -> requests.PreparedRequest:
    """Keeps a netrc file of the machine from replacing our Authorization header."""
    return request


def _new_session() -> requests.Session:
    session = requests.Session()
    session.auth = _as_it_is
    # What transport.unpacked() can undo; left alone, requests asks for whatever happens to be installed.
    session.headers["Accept-Encoding"] = "gzip"
    # One session serves all companies: what an answer to one sets must not be sent for another.
    session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
    for scheme in ("http://", "https://"):
        session.mount(scheme, _Adapter(pool_connections=MOST_PROVIDERS, pool_maxsize=CONNECTIONS_EACH))
    return session


class _SharedSession:
    """The session of this process. Its pools serve many threads; a forked child must not share its sockets."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        # A new lock, too: the parent may have held the old one at the moment of the fork.
        self._lock = threading.Lock()
        self._session: requests.Session | None = None
        # What is the same each time, which takes requests as long as the exchange itself.
        self.request_to = lru_cache(MOST_PROVIDERS)(self._request_to)
        self.settings_for = lru_cache(MOST_PROVIDERS)(self._settings_for)

    def session(self) -> requests.Session:
        with self._lock:
            self._session = self._session or _new_session()
            return self._session

    def _request_to(self, method: str, url: str) -> requests.PreparedRequest:
        return self.session().prepare_request(requests.Request(method, url))

    def _settings_for(self, origin: str) -> Mapping[str, Any]:
        # A prepared request would go past the proxies and certificates that the environment names.
        return self.session().merge_environment_settings(origin, {}, True, None, None)


def send(request: requests.Request, timeout: float) -> requests.Response:
    """The answer to this request, whose body is not read yet."""
    if request.data:
        prepared = session().prepare_request(request)
    else:
        prepared = _shared.request_to(str(request.method), str(request.url)).copy()
        prepared.headers.update(request.headers)
    scheme, netloc, *_ = urlsplit(str(prepared.url))
    settings = _shared.settings_for(f"{scheme}://{netloc}/")
    # A redirect could carry a token to another host.
    return session().send(prepared, timeout=timeout, allow_redirects=False, **settings)


_shared = _SharedSession()
session = _shared.session
os.register_at_fork(after_in_child=_shared.forget)
