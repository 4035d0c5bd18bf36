"""The addresses of setting up, of a company's look and of the guides, each asked as a page or a script asks."""

from collections.abc import Callable
from typing import Any

from tests.security.company import Company
from wallboard.setup import brands, rtl_styles


def of_setup(company: Company, get: Callable[..., Any], post: Callable[..., Any]) -> dict[str, Any]:
    """How each address is asked for, by name."""
    return {
        "setup:manage": get(),
        "setup:guides": get(),
        "setup:guide": get("supervisor"),
        "setup:guide_picture": get("supervisor-the-wall.png"),
        "setup:brand": post(colour="#7a1fa2"),
        "setup:brand_style": get(company.domain.pk, brands.digest(company.domain.brand.colour)),
        "setup:rtl_style": get(rtl_styles.digest()),
        "setup:choose_theme": post(theme="dark"),
        "setup:setup": get(),
        "setup:first": get("a-wrong-key", good=(404,)),  # tests/setup/test_first_key.py has the right ones
        "setup:arrive": get("a-wrong-key", good=(404,)),
        "setup:first_passkey": post("a-wrong-key", good=(404,)),
        "setup:start": get(good=(302,)),
        "setup:start_step": get("provider"),
        "setup:start_events": get(),
        "setup:callers": post(url="https://crm.example.com/caller", is_on="on"),
        "setup:poll_now": post(),
        "setup:check_now": post(),
    }
