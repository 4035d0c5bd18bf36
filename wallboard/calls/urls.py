from django.urls import URLPattern

app_name = "calls"
urlpatterns: list[URLPattern] = []
