from django.urls import path

from wallboard.configuration import views

app_name = "configuration"
urlpatterns = [
    path("setup/configuration/", views.configuration, name="configuration"),
    path("setup/configuration/file/", views.download, name="download"),
]
