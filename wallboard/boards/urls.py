from django.urls import URLPattern

app_name = "boards"
urlpatterns: list[URLPattern] = []
