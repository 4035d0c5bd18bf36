"""A small company, and a way to let it be watched."""

from tests.desk.conftest import _plain_static_files, company, neighbours, signed_in  # noqa: F401
