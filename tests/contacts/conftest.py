"""The fixtures of the desk: a small company, its neighbours, and a running desk for browsers."""

from tests.desk.conftest import _plain_static_files, company, mia, neighbours, signed_in, stage  # noqa: F401
