"""The company, people and mail server of the notifications."""

from tests.alerts.conftest import ana, clock, domain, patient_redis, plain_static_files, read, sales, support
from tests.notifications.conftest import ana_mail, as_admin, as_ana, at_once, mail_server, make_route, work

__all__ = ["ana", "ana_mail", "as_admin", "as_ana", "at_once", "clock", "domain", "mail_server", "make_route"]
__all__ += ["patient_redis", "plain_static_files", "read", "sales", "support", "work"]
