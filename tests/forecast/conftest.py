"""The fixtures of boards: a company with people of each role."""

from tests.boards.conftest import board, domain, plain_static_files, show, show_tv, sign_in  # noqa: F401
