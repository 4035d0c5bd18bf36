"""Links into other programs lead over https to an allowed host, whatever a caller is called."""

from urllib.parse import urlsplit

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from accounts.models import User
from tests.desk.conftest import Company
from wallboard.contacts import crm_links
from wallboard.contacts.models import Link, LinkHost

HOSTS = ["crm.example.com", "intranet.test:8443"]
HOSTILE = [
    "..",
    "../../admin",
    "?x=1&y=2#z",
    "@evil.test/",
    "\r\nLocation: x",
    "javascript:alert(1)",
    "{e164}",
    "%2e",
    "\ud800",
]


@pytest.mark.parametrize(
    "template",
    [
        "https://crm.example.com/find?number={e164}",
        "https://CRM.example.com/{name}/{company}#{call}",
        "https://intranet.test:8443/?x={extension}&n={number}",
    ],
)
def test_addresses_of_allowed_hosts_are_taken(template: str) -> None:
    crm_links.validate(template, HOSTS)


@pytest.mark.parametrize(
    "template",
    [
        "http://crm.example.com/",
        "javascript:alert(1)//https://crm.example.com/",
        "data:text/html,x",
        "file:///etc/passwd",
        "//crm.example.com/",
        "https://evil.test/",
        "https://169.254.169.254/latest",
        "https://crm.example.com.evil.test/",
        "https://crm.example.com@evil.test/",
        "https://user:pass@crm.example.com/",
        "https://crm.example.com:8443/",
        "https://{name}/",
        "https://crm.example.com{name}/",
        "https://{name}.example.com/",
        "https://crm.example.com\\@evil.test/",
        "https://evil.test\\.crm.example.com/",
        " https://crm.example.com/",
        "https://crm.example.com/a b",
        "https://crm.example.com/\n",
        "https://[crm.example.com/",
        "HTTPS:crm.example.com",
        "https://crm.example.com/{token}",
        "",
    ],
)
def test_everything_else_is_refused(template: str) -> None:
    with pytest.raises(ValidationError):
        crm_links.validate(template, HOSTS)


@pytest.mark.parametrize("value", HOSTILE)
def test_no_value_leaves_its_place(value: str) -> None:
    template = "https://crm.example.com/people/{name}/show?q={name}&safe=1#{name}"

    parts = urlsplit(crm_links.fill(template, {"name": value}))

    assert (parts.scheme, parts.netloc) == ("https", "crm.example.com")
    assert parts.path.startswith("/people/")
    assert parts.path.endswith("/show")
    assert parts.path.count("/") == 3
    assert parts.query.endswith("&safe=1")
    assert parts.query.count("&") == 1


def test_a_link_that_nothing_would_fill_is_left_out(company: Company) -> None:
    LinkHost.objects.create(domain=company.domain, host="crm.example.com")
    for template in ("https://crm.example.com/{e164}", "https://crm.example.com/start"):
        Link.objects.create(domain=company.domain, name=template[-5:], template=template)

    assert [link.href for link in crm_links.links_for_call(company.domain.pk, {"e164": ""})] == [
        "https://crm.example.com/start"
    ]


def test_the_admin_refuses_a_stray_link_and_tests_a_good_one(company: Company) -> None:
    client = Client()
    client.force_login(User.objects.create_superuser("root", password="x"))
    LinkHost.objects.create(domain=company.domain, host="crm.example.com")
    link = {"domain": company.domain.pk, "name": "CRM", "order": 0}

    refused = client.post("/admin/contacts/link/add/", link | {"template": "https://evil.test/{e164}"})
    client.post("/admin/contacts/link/add/", link | {"template": "https://crm.example.com/{e164}"})

    assert "allowed host" in refused.content.decode()
    page = client.get(f"/admin/contacts/link/{Link.objects.get().pk}/change/").content.decode()
    assert 'href="https://crm.example.com/%2B4930901820" target="_blank" rel="noopener noreferrer"' in page
