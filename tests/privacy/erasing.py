"""A number is erased in tests as it is in production: asked for, then done by the worker."""

from accounts.models import Domain
from wallboard.calls.retention.traces import Trace
from wallboard.privacy import erasures
from wallboard.privacy.models import Erasure


def erase(domain: Domain, trace: Trace) -> Erasure:
    """What became of it."""
    asked = erasures.create(domain, trace)
    erasures.run(asked.pk)
    return Erasure.objects.get(pk=asked.pk)
