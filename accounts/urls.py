"""Signing in and out, one's own account, and the people of the company."""

from django.urls import path

from accounts import link_views, people_views, views

app_name = "accounts"
urlpatterns = [
    path("", views.account, name="account"),
    path("login/", views.login_page, name="login"),
    path("login/start/", views.start, name="start"),
    path("callback/", views.callback, name="callback"),
    path("link/", link_views.link_page, name="link"),
    path("link/state/", link_views.link_state, name="link_state"),
    path("logout/", views.sign_out, name="logout"),
    path("logout/everywhere/", views.sign_out_everywhere, name="logout_everywhere"),
    path("people/", people_views.people_page, name="people"),
    path("people/add/", people_views.add, name="add_person"),
    path("people/link/", people_views.link, name="link_person"),
    path("people/<int:person_id>/", people_views.change, name="change_person"),
    path("people/<int:person_id>/unlink/", people_views.unlink, name="unlink_person"),
]
