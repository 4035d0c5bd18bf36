// Whether this page can be relied on to notice a call; says plainly when it cannot.

import { setTextOrHide } from "../lib/dom.js";
import { fill } from "../lib/format.js";

const PATIENCE_MS = 4_000;

/**
 * What is wrong with the connection or the call events, as {text, since}; null when all is well.
 * `health` is the document `events` of the feed `people`; `ageMs` is how long this page is open.
 */
export function doubt({ status, health, ageMs, texts, clock }) {
  const since = status.silentSince;
  if (status.closedCode === 4401) {
    return { text: texts.signed_out, since };
  }
  if (status.closedCode === 4403) {
    return { text: texts.not_allowed, since };
  }
  if (status.isSilent || status.doubted?.length || (!status.open && ageMs > PATIENCE_MS)) {
    return { text: fill(texts.silent, { time: clock(since) }), since };
  }
  return health ? doubtOfEvents(health, texts, clock) : null;
}

function doubtOfEvents(health, texts, clock) {
  const since = health.since ?? health.heard_at;
  if (health.state === "down") {
    return { text: since ? fill(texts.events_down, { time: clock(since) }) : texts.events_never, since };
  }
  return health.state === "starting" ? { text: texts.events_starting, since } : null;
}

/** live is where the calls stand, which may be in another window. */
export function showWarning(found, live) {
  setTextOrHide(document.getElementById("connection"), found?.text ?? "");
  live.querySelector("#quiet").dataset.doubt = found !== null;
  live.classList.toggle("is-doubtful", found !== null);
  document.body.classList.toggle("is-doubtful", found !== null);
}
