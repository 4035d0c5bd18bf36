"""What this service does where the API document leaves it open: shown on its page, and the one place to look it up."""

UNDOCUMENTED = (
    ("Queue waits", "In seconds, of those who wait now; 0 when nobody waits."),
    ("Available agents", "Signed in and not in a call, a wrap-up or on a break; all others are unavailable."),
    ("Statistics status", "200. A client should take the 201 of the sample as well."),
    ("Time zone of call messages", "UTC, without saying so."),
    ("Queue legs", "A call to a queue is a leg whose to.user is the queue's number, with is_human false."),
    ("Ringing", "Each phone that rings is a leg of its own: the caller's call_id is the same, to.call_id is its own."),
    (
        "by_call_id",
        "Null, but after a transfer or on the way to voicemail: the call_id of the endpoint before.",
    ),
    ("Unanswered calls", "Get a record too, with answer_time null. duration is from start_time to end_time."),
    ("Subscription parameters", "post_uri and one of calls and cdrs are needed; expires_in is 604800 if left out."),
    ("Several users", "A list of texts, or the key user repeated in the JSON object."),
    ("Events of a new subscription", "One object; a list of two where both calls and cdrs were asked for."),
    ("user when read", "Null where the subscription is for the whole domain."),
    ("Renewal", "The same post_uri, kinds and users by the same owner: 200, no new preparing and ready. New: 201."),
    ("Delivery", "One attempt, ten seconds for the answer, no redirects, no signature. In order for each caller."),
    ("A subscriber that is too slow", "At most 2,000 messages wait for it; what comes then is dropped, and noted."),
    ("A user's token", "Subscriptions of that user only; other users and queue statistics answer 403."),
    ("Scope", "domain for the company-wide token, user for a person's."),
    ("Refresh", "RFC 6749 section 6; the refresh token stays the same unless rotation is switched on."),
    ("PKCE", "Optional, S256 only; a code that was asked for with a challenge needs its verifier."),
    ("Token errors", "RFC 6749 section 5.2: 400 with error; 401 for invalid_client."),
    ("Wrong authorize request", "Unknown client or redirect URL: a page. Anything else: back with error and state."),
    (
        "Errors elsewhere",
        "401 token, 403 not yours, 404, 405, 406 version, 413, 415 not JSON, 422 field; with JSON.",
    ),
    ("No Accept header", "406, as for a wrong version."),
    ("Rate limits", "None, unless a fault is switched on."),
)
