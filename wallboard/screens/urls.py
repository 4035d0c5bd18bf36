"""TVs and embed links: the pages that look after them, the page that each of them shows, and pairing."""

from django.urls import path

from wallboard.screens.views import embed, embeds, images, rotations, screens, tv

app_name = "screens"
urlpatterns = [
    path("screens/", screens.listing, name="screens"),
    path("screens/state/", screens.state, name="state"),
    path("screens/make/", screens.create, name="make"),
    path("screens/pair/", screens.pair, name="pair_screen"),
    path("screens/<int:screen_id>/", screens.change, name="change"),
    path("screens/<int:screen_id>/revoke/", screens.revoke, name="revoke"),
    path("screens/<int:screen_id>/reload/", screens.order, {"what": "reload"}, name="reload"),
    path("screens/<int:screen_id>/flash/", screens.order, {"what": "flash"}, name="flash"),
    path("screens/rotations/new/", rotations.new, name="new_rotation"),
    path("screens/rotations/<int:rotation_id>/", rotations.change, name="change_rotation"),
    path("screens/rotations/<int:rotation_id>/remove/", rotations.delete, name="remove_rotation"),
    path("screens/embeds/", embeds.embeds, name="embeds"),
    path("screens/embeds/<int:embed_id>/revoke/", embeds.revoke, name="revoke_embed"),
    path("embed/<str:token>/", embed.show, name="embed"),
    path("embed/<str:token>/card.png", embed.card_picture, name="embed_picture"),
    path("embed/<str:token>/images/<int:image_id>/<str:digest>/", embed.image, name="embed_image"),
    path("screen/", tv.show, name="tv"),
    path("screen/alive/", tv.alive, name="alive"),
    path("screen/worker.js", tv.worker, name="worker"),
    path("screen/waiting/", tv.waiting, name="waiting"),
    path("screen/images/<int:image_id>/<str:digest>/", images.show, name="image"),
    path("screen/<str:token>/", tv.enter, name="enter"),
    path("pair/", tv.pair, name="pair"),
    path("pair/state/", tv.pair_state, name="pair_state"),
]
