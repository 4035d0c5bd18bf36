from django.urls import path

from wallboard.boards.views import board

app_name = "boards"
urlpatterns = [
    path("", board.home, name="home"),
    path("boards/<slug:slug>/", board.show, name="board"),
    path("boards/<slug:slug>/edit/", board.show, name="edit"),
]
