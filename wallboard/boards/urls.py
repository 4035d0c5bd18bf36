"""Boards, TVs, calls, reports and the set-up page."""

from django.urls import path

from wallboard.boards.views import board, calls, editor, hours, images, people, reports, screen, screens, setup, targets

app_name = "boards"
urlpatterns = [
    path("", board.home, name="home"),
    path("boards/new/", board.new, name="new"),
    path("boards/images/", images.listing, name="images"),
    path("boards/images/<int:image_id>/remove/", images.remove, name="remove_image"),
    path("boards/images/<int:image_id>/<str:digest>/", images.show, name="image"),
    path("boards/<slug:slug>/", board.show, name="board"),
    path("boards/<slug:slug>/edit/", editor.edit, name="edit"),
    path("boards/<slug:slug>/draft/", editor.draft, name="draft"),
    path("boards/<slug:slug>/publish/", editor.publish, name="publish"),
    path("boards/<slug:slug>/discard/", editor.discard, name="discard"),
    path("boards/<slug:slug>/remove/", board.remove, name="remove"),
    path("screens/", screens.listing, name="screens"),
    path("screens/make/", screens.make, name="make_screen"),
    path("screens/pair/", screens.pair, name="pair_screen"),
    path("screens/<int:screen_id>/", screens.change, name="change_screen"),
    path("screens/<int:screen_id>/revoke/", screens.revoke, name="revoke_screen"),
    path("screen/", screen.show, name="screen"),
    path("screen/alive/", screen.alive, name="screen_alive"),
    path("screen/images/<int:image_id>/<str:digest>/", images.show_on_screen, name="screen_image"),
    path("screen/<str:token>/", screen.enter, name="enter_screen"),
    path("calls/", calls.calls, name="calls"),
    path("targets/", targets.targets, name="targets"),
    path("targets/hours/", hours.business_hours, name="hours"),
    path("people/", people.people, name="people"),
    path("people/status/", people.say, name="say"),
    path("people/favourites/", people.keep_favourite, name="keep_favourite"),
    path("reports/", reports.reports, name="reports"),
    path("setup/", setup.setup, name="setup"),
    path("setup/poll/", setup.poll_now, name="poll_now"),
    path("setup/check/", setup.check_now, name="check_now"),
    path("pair/", screen.pair, name="pair"),
    path("pair/state/", screen.pair_state, name="pair_state"),
]
