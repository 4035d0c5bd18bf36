"""The passkeys of local accounts as they are stored: what a key answers is verified with them (passkeys.py)."""

from django.db import models


class Passkey(models.Model):
    """One key of a user, for one host; "" of keys from releases that knew no other.

    `credential_id` and `user_handle` are what the key names itself and its user by. `sign_count` only grows; keys that
    are kept on several devices leave it at nought.
    """

    user = models.ForeignKey("accounts.User", models.CASCADE, related_name="passkeys")
    name = models.CharField(max_length=80)
    host = models.CharField(max_length=253, blank=True, default="", db_default="")
    credential_id = models.BinaryField(max_length=1023, unique=True)
    user_handle = models.BinaryField(max_length=64)
    public_key = models.BinaryField(max_length=4096)
    sign_count = models.BigIntegerField(default=0, db_default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    last_used_at = models.DateTimeField(null=True)

    class Meta:
        app_label = "accounts"
        ordering = ["created_at", "pk"]

    def __str__(self) -> str:
        return self.name
