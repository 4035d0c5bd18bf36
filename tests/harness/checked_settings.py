"""The settings as the type checker's Django plugin reads them, which needs an environment too."""

from tests.harness import environment  # noqa: F401  (first, for what it does)
from wallboard.settings import *  # noqa: F403
