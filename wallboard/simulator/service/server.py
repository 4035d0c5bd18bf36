"""Starts the service in this process, says how to reach it, and stops it on Ctrl-C or SIGTERM."""

import asyncio
import gc
import signal
from typing import Protocol

from aiohttp import web

from wallboard.simulator.options import Options
from wallboard.simulator.service.app import with_companies
from wallboard.simulator.service.authentication import STATISTICS_VERSION, SUBSCRIPTIONS_VERSION, media_type


class Writer(Protocol):
    """Where the introduction goes."""

    def write(self, text: str) -> object: ...
    def flush(self) -> object: ...


def run(options: Options, out: Writer) -> None:
    """Serve until told to stop; OSError where the address is taken."""
    asyncio.run(_serve(options, out))


async def _serve(options: Options, out: Writer) -> None:
    stopped = asyncio.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        # Not KeyboardInterrupt, which may come in the middle of any step.
        asyncio.get_running_loop().add_signal_handler(name, stopped.set)
    runner = web.AppRunner(with_companies(options), access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    gc.freeze()  # what stays for the whole run need not be searched again and again: that would be felt as pauses
    try:
        await web.TCPSite(runner, options.host, options.port).start()
        out.write(introduction(options))
        out.flush()
        await stopped.wait()
    finally:
        await runner.cleanup()


def introduction(options: Options) -> str:
    """Credentials and a line of curl for each endpoint."""
    url, stats, subscriptions = options.base_url, media_type(STATISTICS_VERSION), media_type(SUBSCRIPTIONS_VERSION)
    company = f"-d client_id={options.client_id} -d client_secret={options.client_secret}"
    login = f"-d client_id={options.login_client_id} -d client_secret={options.login_client_secret}"
    redirect = options.redirect_uri[0]
    token = f"curl -s {url}/api/oauth/token/"
    body = '\'{"post_uri": "http://127.0.0.1:9001/", "expires_in": 3600, "calls": true, "cdrs": true}\''
    headers = f"-H \"Authorization: Bearer $TOKEN\" -H 'Accept: {subscriptions}'"
    return f"""\
The telephony service answers at {url} (its page shows the floor).

Company-wide application (client credentials)   id {options.client_id}   secret {options.client_secret}
Sign-in application (authorization code)        id {options.login_client_id}   secret {options.login_client_secret}
  redirect URL {" or ".join(options.redirect_uri)}

# a company-wide token
TOKEN=$({token} -d grant_type=client_credentials {company} \\
  | python3 -c 'import json, sys; print(json.load(sys.stdin)["access_token"])')
# live queue statistics
curl -s {url}/api/call_queues/stats/live/ -H "Authorization: Bearer $TOKEN" -H 'Accept: {stats}'
# subscribe to calls and call detail records, read the subscription, end it
curl -s {url}/api/subscriptions/ {headers} -H 'Content-Type: application/json' -d {body}
curl -s {url}/api/subscriptions/ID/ {headers}
curl -s -X DELETE {url}/api/subscriptions/ID/ {headers}
# sign a person in: open this in a browser, then exchange the code of the redirect within 60 seconds
{url}/api/oauth/authorize/?response_type=code&client_id={options.login_client_id}&redirect_uri={redirect}&state=xyz
{token} -d grant_type=authorization_code {login} -d code=CODE -d redirect_uri={redirect}
{token} -d grant_type=refresh_token {login} -d refresh_token=REFRESH_TOKEN
{_company_lines(options)}{_control_lines(options)}
"""


def _company_lines(options: Options) -> str:
    if not options.companies:
        return ""
    one = options.of_company(1)
    return f"""\
# {options.companies} further companies answer below {options.base_url}/c/1/ and so on,
# each with ids and secrets that end in its number: {one.client_id}, {one.client_secret}
"""


def _control_lines(options: Options) -> str:
    if not options.control:
        return "Start it with --control for the control page: faults, calls to place, the clock, what was sent."
    url = options.base_url
    return f"""# control: the page is {url}/control/
curl -s {url}/control/call -d '{{"from_number": "+442079460012", "to_user": "101"}}'
curl -s {url}/control/clock -d '{{"seconds": 3600}}'
curl -s {url}/control/faults -d '{{"at": "stats", "do": "status", "status": 503, "times": 3}}'
curl -s {url}/control/deliveries"""
