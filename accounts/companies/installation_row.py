"""What is stored of the installation itself, in one row: its public address, and the key of who just moved it."""

from django.db import models


class Installation(models.Model):
    """`public_url` counts where the environment names none; `previous_url` leads on to it (public_address.py).

    `key_hash` is of the address that takes `key_user` along to the new one, once and until `key_until`.
    """

    public_url = models.CharField(max_length=300, blank=True, default="")
    previous_url = models.CharField(max_length=300, blank=True, default="")
    key_hash = models.CharField(max_length=64, blank=True, default="")
    key_user = models.ForeignKey("accounts.User", models.SET_NULL, null=True, blank=True, related_name="+")
    key_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        app_label = "accounts"

    def __str__(self) -> str:
        return self.public_url
