"""docs/scale.md, carried out word for word: one machine becomes three, and one of them is lost and comes back."""

import subprocess
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import pytest
import requests

from tests.harness.simulator import Simulator
from tests.harness.site import bare_environment
from tests.machines import guide, network
from tests.machines.debian import Debians
from tests.machines.guide import Commands
from tests.machines.network import Network
from wallboard.demo.processes import wait_until

pytestmark = pytest.mark.timeout(900)
ADDRESS = "wallboard.example.com"
READY = f"curl --silent --show-error --fail --max-time 10 --resolve {ADDRESS}:443:127.0.0.1 https://{ADDRESS}/readyz"
# What `one` is at the beginning, beside the commands of README.md.
FIRST = f"""
systemctl start postgresql redis-server
runuser -u postgres -- psql -c "CREATE ROLE wallboard LOGIN PASSWORD 'long-database-password'" \\
    -c "CREATE DATABASE wallboard OWNER wallboard"
cp docs/nginx.conf /etc/nginx/conf.d/wallboard.conf
systemctl start nginx
deploy/install.sh https://{ADDRESS}
"""
CERTIFICATE = (
    f"openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN={ADDRESS} "
    f"-addext subjectAltName=DNS:{ADDRESS} -keyout key.pem -out cert.pem"
)


class Provider(Simulator):
    """The provider, on a host of its own."""

    host = ""

    @property
    def base_url(self) -> str:
        return f"http://{self.host}:{self.port}"


@pytest.fixture
def wires() -> Iterator[Network]:
    with network.running((*guide.HOSTS, "provider")) as running:
        yield running


@pytest.fixture
def hosts(wires: Network, tmp_path: Path) -> Iterator[Debians]:
    """Three hosts, of which `one` has an installation that is ready."""
    subprocess.run(CERTIFICATE.split(), cwd=tmp_path, check=True, capture_output=True)
    made = Debians(wires, tmp_path, ADDRESS)
    provider = provider_on(made)
    try:
        place = tmp_path / "one/etc/letsencrypt/live" / ADDRESS
        place.mkdir(parents=True)
        (tmp_path / "cert.pem").replace(place / "fullchain.pem")
        (tmp_path / "cert.pem").symlink_to(place / "fullchain.pem")
        (tmp_path / "key.pem").replace(place / "privkey.pem")
        (tmp_path / "one/etc/wallboard.env").write_text(settings(made, provider))
        provider.start()
        made.run("one", FIRST, 120)
        await_ready(made, "one")
        yield made
    finally:
        made.stop()
        provider.child.stop()


def provider_on(hosts: Debians) -> Provider:
    """The provider, which posts to the address of the installation and knows its certificate."""
    env = bare_environment(
        REQUESTS_CA_BUNDLE=str(hosts.folder / "cert.pem"), SSL_CERT_FILE=str(hosts.folder / "cert.pem")
    )
    Provider.host = hosts.network.addresses["provider"]
    floor = {"load": 0, "speed": 60, "agents": 24, "stay": True, "host": Provider.host}
    provider = Provider(hosts.folder, env, f"https://{ADDRESS}/accounts/callback/", floor, port=9000)
    provider.child.command = hosts.at("provider", list(provider.child.command))
    return provider


def settings(hosts: Debians, provider: Provider) -> str:
    """.env.example, filled in as an installation on PostgreSQL has it."""
    values = {
        "SECRET_KEY": "only-for-tests-0123456789-abcdefghijklmnopqrstuvwxyz-ABCDEFG",
        "TOKEN_KEYS": "b25seSBmb3IgdGVzdHM6IHRoaXJ0eS10d28gYnl0ZXM=",
        "PUBLIC_URL": f"https://{ADDRESS}",
        "DATABASE_URL": "postgres://wallboard:long-database-password@127.0.0.1:5432/wallboard",
        "SPOOL_DIR": "/var/lib/wallboard/spool",
        "TRUSTED_PROXIES": "1",
        "CHECK_SECONDS": "3",
        "POLL_SECONDS": "1",
        "PROVIDER_BASE_URL": provider.base_url,
        "PROVIDER_CLIENT_ID": provider.client_id,
        "PROVIDER_CLIENT_SECRET": provider.client_secret,
        "PROVIDER_LOGIN_CLIENT_ID": provider.login_client_id,
        "PROVIDER_LOGIN_CLIENT_SECRET": provider.login_client_secret,
    }
    lines = (hosts.clone / ".env.example").read_text().splitlines()
    names = [line.partition("=")[0] for line in lines]
    assert not values.keys() - set(names)
    filled = [f"{name}={values[name]}" if name in values else line for name, line in zip(names, lines, strict=True)]
    return "\n".join(filled) + "\n"


def await_ready(hosts: Debians, *names: str) -> None:
    """Until /readyz says over the proxies of these hosts that all is well."""
    env = bare_environment(CURL_CA_BUNDLE=str(hosts.folder / "cert.pem"))
    for name in names:
        asked = hosts.at(name, ["sh", "-c", READY])

        def is_ready(asked: list[str] = asked) -> bool:
            return subprocess.run(asked, capture_output=True, env=env).returncode == 0

        assert wait_until(is_ready, 90, 0.5), f"{hosts.run(name, READY.replace('--fail', ''))}\n{hosts.logs(name)}"


def assert_calls_arrive(hosts: Debians, number: str) -> None:
    """A call at the provider is stored, whichever host answers."""
    address = f"http://{hosts.network.addresses['provider']}:9000/control/call"
    requests.post(address, json={"from_number": number, "to_user": "101"}, timeout=10).raise_for_status()
    stored = f"print(Leg.objects.filter(from_number__contains='{number[-6:]}').count())"
    shell = f'manage.py shell -c "from wallboard.calls.models import Leg; {stored}"'
    asked = f"cd /srv/wallboard/current && WALLBOARD_ENV_FILE=/etc/wallboard.env .venv/bin/python {shell}"
    assert wait_until(lambda: int(hosts.run("two", asked).split()[-1]) > 0, 60, 0.5), hosts.logs("two")


def carry_out(hosts: Debians, *blocks: Commands) -> None:
    """What stands on the page, on each host that it names."""
    for block in blocks:
        for host in block.hosts:
            if block.text.startswith("curl"):
                await_ready(hosts, host)  # whoever reads needs some seconds to get there
            hosts.run(host, block.text, 240)


@pytest.mark.promise("R20", "one machine becomes three, as docs/scale.md says; one is lost")
def test_every_command_of_the_page_works(hosts: Debians) -> None:
    parts = {part: list(blocks) for part, blocks in groupby(guide.commands(), lambda block: block.part)}
    names, *_ = parts["Names"]
    told = {host: hosts.run(host, names.text).splitlines() for host in names.hosts}
    assert {tuple(lines) for lines in told.values()} == {tuple(told["one"])}
    assert len(told["one"]) == 3
    *looked, promote, rebuild = parts.pop("When a machine is lost")
    for blocks in parts.values():
        carry_out(hosts, *blocks)
        await_ready(hosts, "one")
    assert_calls_arrive(hosts, "+493012345001")

    hosts.network.cut("one")
    carry_out(hosts, *looked, promote)
    await_ready(hosts, "two", "three")
    assert_calls_arrive(hosts, "+493012345002")

    hosts.network.heal()
    carry_out(hosts, rebuild)
    await_ready(hosts, *guide.HOSTS)
    standbys = "runuser -u postgres -- psql -Atc \"SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'\""
    assert wait_until(lambda: hosts.run("two", standbys).strip() == "2", 30, 0.5)
    assert_calls_arrive(hosts, "+493012345003")
