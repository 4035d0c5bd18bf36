"""From the poll that shows a queue late to the mail in the mail server's hands: a whole installation, real SMTP.

One queue after the other turns late, each with a route of its own, as a receiver gets one message a minute. The rule
raises at the first reading, so what is measured is beyond the rule's own time: evaluation, decision, sending.
Run: `python -m bench.alert_mail`; exit status 1 where the goal is missed.
"""

import json
import sys
import tempfile
from pathlib import Path
from statistics import median

import tests.harness.environment  # noqa: F401  (keys and secrets of a test run)
from bench import results
from bench.machine import MOST_FOREIGN, Watch
from tests.harness.mail import MailServer, running_mail_server
from tests.harness.site import Site, running_site

QUEUES, QUICK_QUEUES = 12, 4
GOAL_SECONDS = 2.0
PREPARE = """
from accounts.models import Domain
from wallboard.alerts import rules
from wallboard.notifications import destinations, routes
from wallboard.notifications.models import Channel
from wallboard.queues.models import Queue
domain = Domain.objects.get()
rules.save(domain, {None: rules.RuleInput(stays_seconds=0, cooldown_seconds=0)})
for queue in Queue.objects.filter(domain=domain):
    address = f"q{queue.number}@example.com"
    destination = destinations.add(domain, Channel.EMAIL, address, address)
    values = {"name": address, "queues": [queue.number], "kinds": ["level"]}
    routes.save(domain, values, [routes.StepInput(0, destinations=[destination])])
"""
TURN_LATE = """
import time
from accounts.models import Domain
from wallboard.queues import editing
from wallboard.queues.models import Queue
domain = Domain.objects.get()
for queue in Queue.objects.filter(domain=domain).order_by("number")[:{count}]:
    editing.set_targets(domain, queue, {{"waiting_late": 0}})
    time.sleep(2.7)
"""
READ = """
import json
from wallboard.alerts.models import Alert
found = Alert.objects.filter(kind="level").values_list("queue__number", "raised_at")
print("=>", json.dumps([[number, at.timestamp()] for number, at in found]))
"""


def raised(site: Site) -> dict[str, float]:
    """When the reading was taken that raised the alert of each queue: seconds since 1970, by the number."""
    printed = site.manage("shell", "-v0", "-c", READ)
    line = next(line for line in printed.splitlines() if line.startswith("=>"))
    return dict(json.loads(line.removeprefix("=>")))


def measured(site: Site, server: MailServer, count: int) -> tuple[list[float], float]:
    """Seconds from the reading to the mail for each queue, and the foreign load meanwhile."""
    watch = Watch()
    site.manage("shell", "-v0", "-c", TURN_LATE.format(count=count))
    server.wait_for(count, 30)
    foreign = watch.foreign()
    began = raised(site)
    taken = {mail.to[0].partition("@")[0].removeprefix("q"): mail.at for mail in reversed(server.taken)}
    return [taken[number] - at for number, at in began.items() if number in taken], foreign


def main() -> int:
    """Measure, print and judge."""
    options = results.parser(__doc__).parse_args()
    count = QUICK_QUEUES if options.quick else QUEUES
    with tempfile.TemporaryDirectory(prefix="wallboard-bench-") as folder, running_mail_server() as server:
        env = {"SMTP_URL": server.url, "MAIL_FROM": "wall@example.com"}
        with running_site(Path(folder), {"queues": count, "scenario": "quiet"}, env) as site:
            site.manage("shell", "-v0", "-c", PREPARE)
            times, foreign = measured(site, server, count)  # once: a queue that is late stays so
    if foreign > MOST_FOREIGN and not (options.anyway or options.quick):
        return results.tell([results.disturbed("alert_mail, poll to mail", foreign)])
    print(f"  {len(times)} alerts: median {median(times):.2f} s, {min(times):.2f} to {max(times):.2f} s")
    line = results.bounded("alert_mail, poll to mail", median(times), "s", at_most=GOAL_SECONDS, foreign=foreign)
    return results.tell([line])


if __name__ == "__main__":
    sys.exit(main())
