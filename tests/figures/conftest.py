"""A company with something on every page."""

from tests.security.conftest import asked_of_the_provider, ours, plain_static_files  # noqa: F401
