"""What reaches a person, the links in messages, and the routes of a company."""

from django.urls import path

from wallboard.notifications.views import acknowledge, addresses, confirm, manage, mine, mutes, push

app_name = "notifications"
urlpatterns = [
    path("notifications/", mine.mine, name="mine"),
    path("notifications/choice/", mine.save_choice, name="save_choice"),
    path("notifications/mail/", mine.add_mail, name="add_mail"),
    path("notifications/chat/", addresses.chat, name="add_chat"),
    path("notifications/worker.js", push.worker, name="push_worker"),
    path("notifications/push/", push.subscribe, name="push_subscribe"),
    path("notifications/push/key/", push.key, name="push_key"),
    path("notifications/push/state/", push.state, name="push_state"),
    path("notifications/push/end/", push.end, name="push_end"),
    path("notifications/<int:destination_id>/", mine.change, name="change"),
    path("notifications/acknowledge/<str:token>/", acknowledge.acknowledge, name="acknowledge"),
    path("notifications/confirm/<str:token>/", confirm.confirm, name="confirm"),
    path("notifications/mute/", mutes.begin, name="mute"),
    path("notifications/mute/<int:mute_id>/end/", mutes.end, name="unmute"),
    path("setup/notifications/", manage.manage, name="manage"),
    path("setup/notifications/routes/new/", manage.route, name="new_route"),
    path("setup/notifications/routes/<int:route_id>/", manage.route, name="route"),
    path("setup/notifications/routes/<int:route_id>/change/", manage.change_route, name="change_route"),
    path("setup/notifications/mail/", manage.add_mail, name="add_company_mail"),
    path("setup/notifications/destinations/<int:destination_id>/", manage.change_destination, name="change_shared"),
    path("setup/notifications/chat/", addresses.shared_chat, name="add_company_chat"),
    path("setup/notifications/webhooks/new/", addresses.new_webhook, name="new_webhook"),
    path("setup/notifications/webhooks/<int:destination_id>/", addresses.webhook, name="webhook"),
    path("setup/notifications/server/", manage.save_server, name="save_server"),
    path("setup/notifications/server/test/", manage.test_server, name="test_server"),
]
