"""The desk and what its scripts ask for."""

from django.urls import path

from wallboard.desk.views import callbacks, desk, outcomes_and_links, rules, status

app_name = "desk"
urlpatterns = [
    path("", desk.desk, name="desk"),
    path("pop/", desk.pop, name="pop"),
    path("renew/", desk.renew, name="renew"),
    path("release/", desk.release, name="release"),
    path("close/", desk.close, name="close"),
    path("note/", desk.note, name="note"),
    path("day/", desk.today, name="day"),
    path("contact/", desk.save_contact, name="save_contact"),
    path("call-backs/", callbacks.call_backs, name="call_backs"),
    path("call-backs/change/", callbacks.change_call_back, name="change_call_back"),
    path("rules/", rules.save_rules, name="save_rules"),
    path("rules/quiet/", rules.set_quiet, name="be_quiet"),
    path("rules/ignore/", rules.ignore, name="ignore"),
    path("status/", status.set_status, name="set_status"),
    path("offers/", outcomes_and_links.offered, name="offers"),
]
