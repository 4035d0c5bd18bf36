// Whether this page can be relied on to notice a call; says plainly when it cannot.

import { sayOrHide } from "./parts.js";
import { fill } from "./times.js";

const PATIENCE_MS = 4_000;

/** What to say about the connection and the call events; "" when all is well. `health` is the document `events`. */
export function doubt({ status, health, now, openedAt, words, clock }) {
  if (status.closedCode === 4401) {
    return words.signed_out;
  }
  if (status.closedCode === 4403) {
    return words.not_allowed;
  }
  if (status.isSilent || (!status.open && now - openedAt > PATIENCE_MS)) {
    return fill(words.silent, { time: clock(status.silentSince) });
  }
  if (!health) {
    return "";
  }
  if (health.state === "down") {
    const since = health.since ?? health.heard_at;
    return since ? fill(words.events_down, { time: clock(since) }) : words.events_never;
  }
  return health.state === "starting" ? words.events_starting : "";
}

export function showDoubt(text) {
  sayOrHide(document.getElementById("trust"), text);
  document.body.classList.toggle("is-doubtful", text !== "");
}
