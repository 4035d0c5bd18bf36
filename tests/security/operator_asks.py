"""One sensible request for every address of the operator's pages, about one company."""

from collections.abc import Callable
from typing import Any

from tests.security.company import Company


def of_operators(company: Company, post: Callable[..., Any]) -> dict[str, Any]:
    """By the name of the address."""
    domain = company.domain
    return {
        "setup:companies": post(name="new", slug="a-new-one", host=""),
        "setup:address": post(good=(200,), address="http://testserver"),  # the environment fixes it here
        "setup:company": post(domain.pk, name="changed", slug=domain.slug, host=""),
        "setup:pause_company": post(domain.pk),
        "setup:resume_company": post(domain.pk),
        "setup:invite_administrator": post(domain.pk),
        "setup:remove_company": post(domain.pk, name=domain.name),
    }
