"""Makes the endpoints of calls: callers from outside, extensions, queues, the menu, voicemail boxes."""

import secrets
from itertools import count
from random import Random

from wallboard.simulator.dialect.switches import Dialect
from wallboard.simulator.floor.calls import Endpoint
from wallboard.simulator.floor.company import DOMAIN, MAIN_NUMBER, Company, Person, Queue
from wallboard.simulator.floor.names import Customer

OTHER_DOMAIN = "otherfirm.example"


class EndpointFactory:
    """Gives each endpoint a new call id.

    Ids differ from run to run even with the same seed, since a client keeps what it saw of earlier runs, unless the
    run has a name.
    """

    def __init__(self, company: Company, dialect: Dialect, dialect_random: Random, run_name: str = "") -> None:
        self._company, self._dialect, self._random = company, dialect, dialect_random
        self._run = run_name or secrets.token_hex(4)
        self._numbers = count(1)

    def call_id(self) -> str:
        return f"{self._run}{next(self._numbers):08x}"

    def external(self, customer: Customer) -> Endpoint:
        """Somebody on the public telephone network, or a phone of another company at the provider."""
        if self.happens(self._dialect.same_extension_share):
            return self._other_company(self._random.choice(self._company.people).extension, customer)
        if self.happens(self._dialect.other_company_share):
            return self._other_company(f"80{self._random.randrange(100):02d}", customer)
        return Endpoint(customer.number, self.call_id(), name=customer.name, device="external")

    def _other_company(self, user: str, customer: Customer) -> Endpoint:
        return Endpoint(address(user, OTHER_DOMAIN), self.call_id(), user, OTHER_DOMAIN, customer.name)

    def forwarded(self, person: Person, customer: Customer) -> Endpoint:
        """A caller from outside whom this person's phone forwards: the user is ours, the number is the caller's."""
        return Endpoint(customer.number, self.call_id(), person.extension, DOMAIN, customer.name, "forwarded")

    def happens(self, share: float) -> bool:
        """Whether something of the dialect happens now; a share of zero draws nothing."""
        return share > 0 and self._random.random() < share

    def person(self, person: Person) -> Endpoint:
        return Endpoint(address(person.extension), self.call_id(), person.extension, DOMAIN, person.name)

    def queue(self, queue: Queue) -> Endpoint:
        return Endpoint(address(queue.number), self.call_id(), queue.number, DOMAIN, device="queue")

    def menu(self) -> Endpoint:
        return Endpoint(MAIN_NUMBER, self.call_id(), None, DOMAIN, device="menu")

    def voicemail(self, person: Person) -> Endpoint:
        # A voicemail box belongs to its person: `user` is the extension, and only is_human tells them apart.
        box = address(f"vm-{person.extension}")
        return Endpoint(box, self.call_id(), person.extension, DOMAIN, device="voicemail")

    def unassigned(self, dialled: str) -> Endpoint:
        """Digits that no phone has."""
        return Endpoint(dialled, self.call_id(), domain=DOMAIN)


def address(user: str, domain: str = DOMAIN) -> str:
    """The SIP address of a user."""
    return f"sip:{user}@{domain}"
