"""The dialect of the provider: every switch with its values, its default and its meaning.

The API document leaves much open. The defaults are what this service always did; a switch makes it play another answer.
"""

from dataclasses import Field, dataclass, field, fields
from typing import Any

from wallboard.simulator.dialect.values import NAME, NAME_OR_NOTHING, ON_OFF, SHARE, ZONE, Number, OneOf, Values

DAY_SECONDS = 86_400
MOST_ERROR_SECONDS = 366 * DAY_SECONDS


def switch(default: object, values: Values, meaning: str) -> Any:
    """A field of the dialect that the command line and the control API can set."""
    return field(default=default, metadata={"values": values, "meaning": meaning})


def one_of(default: str, others: str, meaning: str) -> Any:
    """A switch between words, the default first."""
    return switch(default, OneOf((default, *others.split())), meaning)


def on_off(default: bool, meaning: str) -> Any:
    """A switch that is on or off."""
    return switch(default, ON_OFF, meaning)


def share(meaning: str) -> Any:
    """How often something happens, from never (0) to always (1)."""
    return switch(0.0, SHARE, meaning)


def seconds(default: float, most: float, meaning: str, least: float = 0) -> Any:
    """A time of the clients, which the floor's speed does not change."""
    return switch(default, Number(least, most), meaning)


@dataclass
class Dialect:
    """How this provider speaks."""

    # Queue statistics
    wait_unit: str = one_of("s", "ms min", "unit of `avg_wait` and `max_wait`")
    avg_wait_of: str = one_of("now", "period day", "callers waiting now, or who left the queue in a period or today")
    max_wait_of: str = one_of("now", "period day", "the same for `max_wait`")
    wait_period_minutes: float = switch(15.0, Number(1, 1440), "how long the period of the waits is")
    available_agents: str = one_of("not_in_call", "idle signed_in", "idle or ringing, idle only, or also in a call")
    signed_off_agents: str = one_of(
        "unavailable", "uncounted excluded", "on a break or off shift: unavailable, in `num_agents` only, or nowhere"
    )
    statistics_lag_seconds: float = seconds(0.0, 600, "how old the figures are")
    statistics_status: str = one_of("200", "201", "status of the answer")
    queue_id_type: str = one_of("string", "integer", "type of `queue`")

    # Times
    call_time_zone: str = switch("UTC", ZONE, "zone of `time_start` and `time_answer`")
    record_times: str = one_of("utc", "local mislabelled", "in UTC, in the call time zone, or in it but marked `+0000`")
    expires_zone: str = switch("UTC", ZONE, "zone of `expires`")
    expires_suffix: str = one_of("none", "z offset", "what `expires` says of its zone")
    expires_fraction: bool = on_off(True, "fractional seconds in `expires`")
    token_expires_error_seconds: float = seconds(
        0.0, MOST_ERROR_SECONDS, "how wrong `expires` of token answers is", -MOST_ERROR_SECONDS
    )
    subscription_expires_error_seconds: float = seconds(
        0.0, MOST_ERROR_SECONDS, "how wrong `expires` of subscriptions is", -MOST_ERROR_SECONDS
    )
    date_header_error_seconds: float = seconds(
        0.0, MOST_ERROR_SECONDS, "how wrong the `Date` header of answers is", -MOST_ERROR_SECONDS
    )

    # Call messages
    queue_legs: str = one_of(
        "user", "user_only id address hidden", "queue number in `to.user` and `to.id`, in one of them, or no message"
    )
    queue_leg_state: str = one_of("active", "ringing progressing", "state of a queue leg while the caller waits")
    caller_call_id: str = one_of("shared", "per_leg", "`from.call_id`: one for all legs of a caller, or one for each")
    by_call_id: str = one_of("transfers", "never every_leg", "which legs name the one before")
    is_human: str = one_of(
        "false_for_machines",
        "false_for_voicemail false_for_queues always_true missing",
        "false for queues, menus and voicemail, for some of them, never, or no field",
    )
    on_net: str = one_of("sent", "missing_if_forwarded missing", "the field `on_net`")
    names: str = one_of("from", "both missing", "where `name` stands")
    user_form: str = one_of("extension", "address", "every `user` as `201` or as `201@domain`")
    called_user: str = one_of("at_once", "once_answered", "when `to.user` of a phone is told; null before")
    caller_id_form: str = one_of("e164", "sip without_plus", "numbers outside as `+1555…`, `sip:+1555…@…` or `1555…`")

    # Callers
    other_company_share: float = share("calls from and to users of another company at the provider")
    same_extension_share: float = share("calls from another company whose `user` is one of our extensions")
    forwarded_share: float = share(
        "direct calls forwarded to a number outside: our `from.user`, the caller's `from.id`"
    )

    # Call detail records
    records: str = one_of("sent", "never", "whether records are posted at all")
    unanswered_records: bool = on_off(True, "records of legs that nobody answered")
    record_delay_seconds: float = seconds(2.0, 3600, "from the end of a leg to its record")
    record_jitter_seconds: float = seconds(0.0, 3600, "at most so much later, drawn for each record")
    record_batch_size: int = switch(1, Number(1, 2000, is_whole=True), "records wait until so many fill one message")

    # Events
    event_lag_seconds: float = seconds(0.0, 600, "how long call messages come after the event")
    event_loss_share: float = share("call messages that are lost")
    event_duplicate_share: float = share("call messages that come twice")
    event_reorder_share: float = share("call messages that come after the caller's next one, or five seconds late")
    delivery_retries: int = switch(0, Number(0, 5, is_whole=True), "attempts after one that was not acknowledged")

    # Identity
    read_back_user: str = one_of("own", "other null empty", "`events` when read: its user, another, null, `[]`")
    read_back_extension: str = switch("", NAME_OR_NOTHING, "the extension to which that is limited; all if empty")
    token_user_field: str = switch(
        "", NAME_OR_NOTHING, "field of a person's token answer that names the user; none if empty"
    )
    named_user: str = one_of("own", "other", "whom that field names")

    # Signing in and tokens
    authorize_path: str = one_of("both", "api bare", "with the prefix `/api`, without it, or both")
    pkce: str = one_of("accepted", "ignored refused", "what becomes of `code_challenge`")
    expired_token_status: str = one_of("401", "403", "status for a token that is not good any more")
    good_token_refusal_share: float = share("requests with a good token that are refused all the same")
    good_token_refusal_status: str = one_of("401", "403", "their status")
    token_expires_in: str = one_of(
        "3599", "0 1 missing text words", '`expires_in`; text is `"3599"`, words `"an hour"`'
    )
    refresh_tokens: str = one_of("keep", "rotate none", "the same one stays, each works once, or none are given")
    refresh_token_field: str = switch("refresh_token", NAME, "field that holds the refresh token")
    version_check: str = one_of("strict", "lenient", "whether a wrong `Accept` header is refused")
    error_body: str = one_of("json", "text empty", "body of an error of the API")

    # Subscriptions
    initialization: str = one_of(
        "sent", "none ready_lost before_answer", "both messages, none, no `ready`, or `preparing` before the answer"
    )
    initialization_delay_seconds: float = seconds(0.0, 600, "how much later they come")
    events_before_ready: bool = on_off(False, "whether calls are delivered before initialization is over")
    subscription_life_seconds: float = seconds(
        0.0, 604_800, "silently deleted so long after create or renewal; 0: never"
    )
    renewal: str = one_of("same_id", "new_id second", "the id stays, it changes, or a second subscription is made")
    subscription_id_type: str = one_of(
        "documented", "string integer", "text when created and number when read, or always one"
    )
    subscription_events: str = one_of(
        "documented", "object array", "object when created and array when read, or always one"
    )


TABLE: tuple[Field[Any], ...] = fields(Dialect)
