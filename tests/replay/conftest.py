"""The company of the boards' tests, and a day of it that was recorded."""

from tests.boards.conftest import board, domain, plain_static_files, sign_in  # noqa: F401
