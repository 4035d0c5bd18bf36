from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        from django.contrib.auth.signals import user_logged_in  # below: they need the models

        from accounts.languages import admin_names
        from accounts.signin import endings, recent

        endings.connect()
        admin_names.translate()
        user_logged_in.connect(recent.note)
