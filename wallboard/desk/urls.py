from django.urls import path

from wallboard.desk import views

app_name = "desk"
urlpatterns = [
    path("", views.desk, name="desk"),
    path("pop/", views.pop, name="pop"),
    path("renew/", views.renew, name="renew"),
    path("release/", views.release, name="release"),
    path("close/", views.close, name="close"),
    path("note/", views.note, name="note"),
    path("day/", views.today, name="day"),
    path("contact/", views.save_contact, name="save_contact"),
]
