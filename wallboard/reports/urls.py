"""What queues and people did over some days."""

from django.urls import path

from wallboard.reports import views
from wallboard.reports.mails import views as mails
from wallboard.reports.own import views as own
from wallboard.reports.service import views as service

app_name = "reports"
urlpatterns = [
    path("reports/", views.reports, name="reports"),
    path("reports/mine/", own.mine, name="mine"),
    path("reports/mails/", mails.mails, name="mails"),
    path("reports/mails/<int:mail_id>/", mails.change_mail, name="change_mail"),
    path("reports/mails/<int:mail_id>/edit/", mails.edit_mail, name="edit_mail"),
    path("setup/service-level/", service.service_level, name="service_level"),
]
