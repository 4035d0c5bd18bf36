from django.urls import path

from wallboard.carddav import views

app_name = "carddav"
urlpatterns = [
    path("", views.books_page, name="books"),
    path("<int:book_id>/", views.book_page, name="book"),
    path("<int:book_id>/do/", views.act, name="act"),
]
