"""Boards, their editor and their pictures."""

from django.urls import path

from wallboard.boards.views import board, editor, images

app_name = "boards"
urlpatterns = [
    path("", board.home, name="home"),
    path("boards/", board.list_boards, name="list"),
    path("boards/new/", board.new, name="new"),
    path("boards/images/", images.listing, name="images"),
    path("boards/images/<int:image_id>/remove/", images.delete, name="remove_image"),
    path("boards/images/<int:image_id>/<str:digest>/", images.show, name="image"),
    path("boards/<slug:slug>/", board.show, name="board"),
    path("boards/<slug:slug>/edit/", editor.edit, name="edit"),
    path("boards/<slug:slug>/draft/", editor.draft, name="draft"),
    path("boards/<slug:slug>/publish/", editor.publish, name="publish"),
    path("boards/<slug:slug>/discard/", editor.discard, name="discard"),
    path("boards/<slug:slug>/figures/", editor.figures, name="figures"),
    path("boards/<slug:slug>/remove/", board.delete, name="remove"),
    # After those of boards, of which one may be called “Queue”.
    path("boards/queue/<str:number>/", board.queue, name="queue"),
]
