"""The running service: its parts, in the order in which they need each other."""

from time import monotonic

from wallboard.simulator.control.call_watches import CallWatches
from wallboard.simulator.deliveries.deliveries import Deliveries
from wallboard.simulator.deliveries.delivery_log import DeliveryLog
from wallboard.simulator.faults.faults import Fault, Faults
from wallboard.simulator.messages.publisher import Message
from wallboard.simulator.options import Options
from wallboard.simulator.pages.rendering import Pages
from wallboard.simulator.provider import Provider
from wallboard.simulator.service.clock import ServiceClock
from wallboard.simulator.service.oauth.authorization_codes import AuthorizationCodes
from wallboard.simulator.service.oauth.tokens import Tokens
from wallboard.simulator.service.pacing import Pacer
from wallboard.simulator.service.request_log import RequestLog
from wallboard.simulator.service.subscriptions import Subscriptions


class Service:
    """The provider with its credentials, its subscribers and everything that can be switched."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.clock = ServiceClock()
        self.faults = Faults()
        self.delivery_log, self.request_log = DeliveryLog(), RequestLog()
        self.tokens = Tokens(self.clock, options.signing_key)
        self.codes = AuthorizationCodes(self.clock)
        self.call_watches = CallWatches()
        self.provider = Provider(options, self.send, self.clock)
        self.dialect = self.provider.dialect
        self.company, self.floor = self.provider.company, self.provider.floor
        self.statistics = self.provider.statistics
        self.subscriptions = Subscriptions(self.clock, self.dialect)
        self.deliveries = Deliveries(self.subscriptions, self.delivery_log, self.faults, self.dialect)
        self.pacer = Pacer(self.floor)
        self.pages = Pages()

    def start(self) -> None:
        """Let the floor begin to live."""
        self.provider.start(self._take_statistics_away, self.tokens.signed_in)

    def send(self, message: Message) -> None:
        """Deliver a message, and tell whoever placed the call that it is about."""
        deliveries = self.deliveries.send(message)
        if message.leg is not None:
            self.call_watches.sent(message.leg, deliveries)

    def _take_statistics_away(self, seconds: float) -> None:
        self.faults.add(Fault("stats", "status", status=503, ends=monotonic() + seconds))
