// How a call is put into words, the same on the card, on a strip and in the title.

import { duration, fill } from "../lib/format.js";

/** "Ringing you", "Talking", "Missed", "Taken by Ana", "Ended". */
export function stateOf(entry, texts) {
  if (entry.is_outgoing && entry.state !== "talking") {
    const isUnreached = entry.outcome === "no_answer";
    return entry.state === "ringing" ? texts.out_calling : isUnreached ? texts.out_unreached : texts.ended;
  }
  const word = entry.state === "ended" ? (texts[entry.outcome] ?? texts.ended) : texts[entry.state];
  return fill(word, { by: entry.by });
}

/**
 * The running time of a live call; of an ended one how long it was talked or rung. While nothing can be heard of it
 * (`asOf(entry)`, a time of day, else ""), a live call says how it was last known instead of counting on. Where the end
 * was lost, nobody knows how long it took.
 */
export function timeOf(entry, now, texts, asOf) {
  if (entry.state !== "ended") {
    const time = asOf(entry);
    return time ? fill(texts.as_of, { time }) : duration((now - entry.since) / 1000);
  }
  if (entry.as_of) {
    return "";
  }
  if (["answered", "reached"].includes(entry.outcome) && entry.answered) {
    return fill(texts.talked, { length: duration((entry.since - entry.answered) / 1000) });
  }
  const rang = entry.card?.rang;
  return rang ? fill(texts.rang, { length: duration((entry.since - rang) / 1000) }) : "";
}

/** What putting the call away is called: of one that lives it must not sound like hanging up. */
export function closeText(entry, texts) {
  return entry.state === "ended" ? texts.close : texts.hide;
}

/** The look of a call: ringing, talking, missed, or over. */
export function lookOf(entry) {
  return entry.state === "ended" ? (entry.outcome === "missed" ? "missed" : "over") : entry.state;
}
