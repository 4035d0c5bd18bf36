"""A connection to PostgreSQL ends soon on both sides where no packet gets through any more."""

import socket

import pytest
from django.db import connection


@pytest.mark.django_db
def test_both_ends_notice_within_seconds_that_the_other_is_gone() -> None:
    if connection.vendor != "postgresql":  # SQLite has no other end
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, setting FROM pg_settings WHERE name ~ '^tcp_(keepalives|user)_'")
        there = {name: int(value) for name, value in cursor.fetchall()}
    assert connection.connection is not None
    with socket.fromfd(connection.connection.fileno(), socket.AF_INET, socket.SOCK_STREAM) as here:
        names = {"tcp_keepalives_idle": "TCP_KEEPIDLE", "tcp_keepalives_interval": "TCP_KEEPINTVL"}
        names |= {"tcp_keepalives_count": "TCP_KEEPCNT", "tcp_user_timeout": "TCP_USER_TIMEOUT"}
        mine = {name: here.getsockopt(socket.IPPROTO_TCP, getattr(socket, option)) for name, option in names.items()}

    # A transaction of a host that is cut off would otherwise keep its locks for hours.
    assert there == mine
    assert mine["tcp_keepalives_idle"] + mine["tcp_keepalives_interval"] * mine["tcp_keepalives_count"] <= 12
    assert mine["tcp_user_timeout"] <= 8000
