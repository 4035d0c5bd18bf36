from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        from django.contrib.auth.signals import user_logged_in  # below: they need the models

        from accounts.signin import endings, recent

        endings.connect()
        user_logged_in.connect(recent.note)
