// Whether this page can be relied on to notice a call; says plainly when it cannot.

import { sayOrHide } from "./parts.js";
import { fill } from "./times.js";

const PATIENCE_MS = 4_000;

/**
 * What is wrong with the connection or the call events, as {text, since}; null when all is well.
 * `health` is the document `events` of the feed `people`; `ageMs` is how long this page is open.
 */
export function doubt({ status, health, ageMs, words, clock }) {
  const since = status.silentSince;
  if (status.closedCode === 4401) {
    return { text: words.signed_out, since };
  }
  if (status.closedCode === 4403) {
    return { text: words.not_allowed, since };
  }
  if (status.isSilent || (!status.open && ageMs > PATIENCE_MS)) {
    return { text: fill(words.silent, { time: clock(since) }), since };
  }
  return health ? doubtOfEvents(health, words, clock) : null;
}

function doubtOfEvents(health, words, clock) {
  const since = health.since ?? health.heard_at;
  if (health.state === "down") {
    return { text: since ? fill(words.events_down, { time: clock(since) }) : words.events_never, since };
  }
  return health.state === "starting" ? { text: words.events_starting, since } : null;
}

/** live is where the calls stand, which may be in another window. */
export function showDoubt(found, live) {
  sayOrHide(document.getElementById("trust"), found?.text ?? "");
  live.querySelector("#quiet").dataset.doubt = found !== null;
  live.classList.toggle("is-doubtful", found !== null);
  document.body.classList.toggle("is-doubtful", found !== null);
}
