"""Signing in and out, one's own account, and the people of the company."""

from django.urls import path

from accounts.views import account, limits, link, passkeys, people, signin

app_name = "accounts"
urlpatterns = [
    path("", account.account, name="account"),
    path("language/", account.choose_language, name="choose_language"),
    path("login/", signin.login_page, name="login"),
    path("login/start/", signin.start, name="start"),
    path("password/", signin.password, name="password"),
    path("passkey/", passkeys.sign_in, name="passkey"),
    path("passkey/options/", passkeys.sign_in_options, name="passkey_options"),
    path("passkeys/", passkeys.add, name="add_passkey"),
    path("passkeys/options/", passkeys.add_options, name="add_passkey_options"),
    path("passkeys/<int:key_id>/", passkeys.change, name="change_passkey"),
    path("confirm/", signin.confirm, name="confirm"),
    path("callback/", signin.callback, name="callback"),
    path("callback/<str:key>/", signin.callback, name="company_callback"),
    path("link/", link.link_page, name="link"),
    path("link/state/", link.link_state, name="link_state"),
    path("logout/", account.sign_out, name="logout"),
    path("logout/everywhere/", account.sign_out_everywhere, name="logout_everywhere"),
    path("people/", people.people_page, name="people"),
    path("people/add/", people.add, name="add_person"),
    path("people/link/", people.link, name="link_person"),
    path("people/<int:person_id>/", people.change, name="change_person"),
    path("people/<int:person_id>/unlink/", people.unlink, name="unlink_person"),
]
company_patterns = [path("c/<slug:slug>/", signin.login_page, name="sign_in")]
team_patterns = [
    path("teams/", limits.teams, name="teams"),
    path("teams/<int:team_id>/", limits.team, name="team"),
    path("teams/<int:team_id>/remove/", limits.remove_team, name="remove_team"),
    path("people/<int:person_id>/limit/", limits.limit, name="limit"),
]
