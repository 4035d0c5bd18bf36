"""Passkeys (WebAuthn): local accounts sign in with a key of their device, without a name and without a password.

A key is asked for by a challenge that counts once, in the session that got it, for ten minutes. It must have verified
its user (finger, face or PIN) and answer for the host and the origin that were asked for (companies/key_sites.py). No
attestation is asked for: which make of key somebody has is theirs to choose.
"""

import base64
import logging
import secrets
from dataclasses import dataclass

import msgspec
import webauthn
from django.contrib.sessions.backends.base import SessionBase
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from webauthn.helpers import parse_authentication_credential_json
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from accounts import audit
from accounts.companies import key_sites
from accounts.models import Passkey, Person, User
from accounts.signin import operators, pending

log = logging.getLogger(__name__)
SESSION = "passkeys"  # where the session keeps challenges
SIGN_IN, FIRST = "sign in", "first"  # what a challenge is for; of a user who adds a key: adding(user)
SITE = "Wallboard"
MOST = 20  # of one user
MAX_LENGTH = 20_000  # of what a browser sends about a key
REQUIRED = UserVerificationRequirement.REQUIRED
SECONDS = 300  # that somebody has to find the key and use it


class Refused(Exception):
    """What a browser sent is no answer of a key that counts here; the text says why, for the log."""


class LastWayIn(Exception):
    """Without this key the user could not sign in any more."""


@dataclass(frozen=True)
class NewKey:
    """What a key said of itself when it was made."""

    credential_id: bytes
    user_handle: bytes
    public_key: bytes
    sign_count: int
    host: str


class _Response(msgspec.Struct):
    client: str = msgspec.field(name="clientDataJSON")


class _Sent(msgspec.Struct):
    response: _Response


class _ClientData(msgspec.Struct):
    challenge: str


def adding(user: User) -> str:
    """What a challenge is for with which this user adds a key."""
    return f"add {user.pk}"


def options_to_make(request: HttpRequest, purpose: str, user_name: str, keys: QuerySet[Passkey] | None = None) -> str:
    """What a browser needs to make a key for this site, as JSON; `keys` are those that the user has."""
    known = list(keys or ())
    # All keys of a user answer with one handle.
    handle = bytes(known[0].user_handle) if known else secrets.token_bytes(32)
    challenge = secrets.token_bytes(32)
    pending.keep(request.session, SESSION, _text(challenge), {"for": purpose, "handle": _text(handle)})
    options = webauthn.generate_registration_options(
        rp_id=key_sites.of(request).host,
        rp_name=SITE,
        user_name=user_name,
        user_id=handle,
        challenge=challenge,
        timeout=SECONDS * 1000,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED, require_resident_key=True, user_verification=REQUIRED
        ),
        exclude_credentials=[PublicKeyCredentialDescriptor(id=bytes(each.credential_id)) for each in known],
    )
    return webauthn.options_to_json(options)


def made(request: HttpRequest, purpose: str, sent: str) -> NewKey:
    """The key that a browser made for this site and a challenge of this session. Raises Refused."""
    challenge, handle = _taken(request.session, purpose, sent)
    site = key_sites.of(request)
    try:
        found = webauthn.verify_registration_response(
            credential=sent,
            expected_challenge=challenge,
            expected_rp_id=site.host,
            expected_origin=site.origin,
            require_user_verification=True,
        )
    except Exception as error:  # whatever the library stumbles over in what strangers send
        raise Refused(f"{type(error).__name__}: {error}") from error
    return NewKey(found.credential_id, handle, found.credential_public_key, found.sign_count, site.host)


def store(user: User, key: NewKey, name: str) -> Passkey:
    """Keep a new key of the user. Raises Refused where somebody has it, and where there are too many."""
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        if user.passkeys.count() >= MOST:
            raise Refused("the user has too many keys")
        if Passkey.objects.filter(credential_id=key.credential_id).exists():
            raise Refused("the key is known already")
        columns = {"credential_id": key.credential_id, "user_handle": key.user_handle, "public_key": key.public_key}
        try:
            with transaction.atomic():
                row = Passkey.objects.create(user=user, name=name, host=key.host, sign_count=key.sign_count, **columns)
        except IntegrityError as error:
            raise Refused("the key is known already") from error
        _log(user, "passkey added", name)
    return row


def options_to_sign_in(request: HttpRequest) -> str:
    """What a browser needs to ask for a key of this site, whosever it is, as JSON."""
    challenge = secrets.token_bytes(32)
    pending.keep(request.session, SESSION, _text(challenge), {"for": SIGN_IN, "handle": ""})
    host = key_sites.of(request).host
    options = webauthn.generate_authentication_options(
        rp_id=host, challenge=challenge, timeout=SECONDS * 1000, user_verification=REQUIRED
    )
    return webauthn.options_to_json(options)


def user_of(request: HttpRequest, sent: str) -> User:
    """Whose key of this site answered the challenge of this session. Raises Refused."""
    challenge, _ = _taken(request.session, SIGN_IN, sent)
    site = key_sites.of(request)
    try:
        credential = parse_authentication_credential_json(sent)
        rows = Passkey.objects.select_related("user")
        row = rows.filter(credential_id=credential.raw_id).first()
        if row is None or credential.response.user_handle != bytes(row.user_handle):
            raise Refused("nobody has this key")
        found = webauthn.verify_authentication_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=site.host,
            expected_origin=site.origin,
            credential_public_key=bytes(row.public_key),
            credential_current_sign_count=0,  # judged below, once it is certain that the key itself says so
            require_user_verification=True,
        )
    except Refused:
        raise
    except Exception as error:  # as above
        raise Refused(f"{type(error).__name__}: {error}") from error
    _count(row, found.new_sign_count)
    try:
        if not operators.may_enter(row.user, site.domain_id):
            raise Refused("the account is switched off, or has no page here")
    except operators.Paused as error:
        raise Refused("the company is paused") from error
    _log(row.user, "signed in with a passkey", row.name)
    return row.user


def may_have(user: object) -> bool:
    """Whether this is a local account of somebody with pages here: whoever signs in at the provider needs no key."""
    if not isinstance(user, User) or not Person.objects.filter(user=user).exists():
        return False
    return user.has_usable_password() or user.passkeys.exists()


def rename(key: Passkey, name: str) -> None:
    """Give the key another name."""
    before, key.name = key.name, name
    if before != name:
        key.save(update_fields=["name"])
        _log(key.user, "passkey renamed", name, {"name": [before, name]})


def remove(key: Passkey) -> None:
    """From now on nobody signs in with this key. Raises LastWayIn."""
    with transaction.atomic():
        user = User.objects.select_for_update().get(pk=key.user_id)
        if not user.has_usable_password() and not user.passkeys.exclude(pk=key.pk).exists():
            raise LastWayIn
        key.delete()
        _log(user, "passkey removed", key.name)


def _taken(session: SessionBase, purpose: str, sent: str) -> tuple[bytes, bytes]:
    """The challenge that was answered, and the handle that went with it; it counts no second time."""
    if len(sent) > MAX_LENGTH:
        raise Refused("too long")
    try:
        client = msgspec.json.decode(sent, type=_Sent).response.client
        key = msgspec.json.decode(_bytes(client), type=_ClientData).challenge
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise Refused("no answer of a key") from error
    found = pending.take(session, SESSION, key)
    if found is None or found["for"] != purpose:
        raise Refused("the challenge is none of this session, was used, or is too old")
    return _bytes(key), _bytes(found["handle"])


def _count(row: Passkey, count: int) -> None:
    """Keep the new count; one that did not grow is of a copy of the key, and of two answers at once one counts."""
    has_grown = count > row.sign_count or (count == 0 and row.sign_count == 0)
    same = Passkey.objects.filter(pk=row.pk, sign_count=row.sign_count)
    if not has_grown or not same.update(sign_count=count, last_used_at=timezone.now()):
        _log(row.user, "passkey refused", row.name, {"count": [row.sign_count, count]})
        raise Refused("the count of the key went back: there may be a copy of it")


def _log(user: User, what: str, name: str, changes: audit.Changes | None = None) -> None:
    person = Person.objects.filter(user=user).first()
    about = f"{audit.person_label(person) if person else user.get_username()}: {name}"
    audit.log(person.domain_id if person else None, what, about, changes)


def _text(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def _bytes(text: str) -> bytes:
    """Raises ValueError for what is no base64url."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
