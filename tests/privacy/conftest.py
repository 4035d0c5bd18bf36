"""The fixtures of the desk: a small company, its neighbours, and a running desk for browsers."""

from tests.desk.conftest import _plain_static_files, company, desk_site, mia, neighbours, signed_in  # noqa: F401
