/* How old the last news of a live call is. A talk has none between its answer and its end, so age alone speaks against
nothing: it is said, and the call stays what it is. Minutes as in wallboard/calls/presence/aging.py. */
import { fill, span } from "../lib/format.js";

const QUIET_MS = { talking: 600000, waiting: 600000 };
const RINGING_MS = 180000;
const LIVE = ["talking", "waiting", "ringing", "calling", "other"];

/* doc: a call, or a person; "" while its news is fresh. page: {now, texts}. */
export function eventAgeText(doc, page) {
  if (!doc.heard || !LIVE.includes(doc.state)) return "";
  const age = page.now - doc.heard;
  if (age < (QUIET_MS[doc.state] || RINGING_MS)) return "";
  return fill(page.texts.no_news, { age: span(age / 1000, page.texts) });
}
