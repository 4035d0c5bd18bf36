// How a call is put into words, the same on the card, on a strip and in the title.

import { fill, length } from "./times.js";

/** "Ringing you", "Talking", "Missed", "Taken by Ana", "Ended". */
export function stateOf(entry, words) {
  if (entry.is_outgoing && entry.state !== "talking") {
    const isUnreached = entry.outcome === "no_answer";
    return entry.state === "ringing" ? words.out_calling : isUnreached ? words.out_unreached : words.ended;
  }
  const word = entry.state === "ended" ? (words[entry.outcome] ?? words.ended) : words[entry.state];
  return fill(word, { by: entry.by });
}

/**
 * The running time of a live call; of an ended one how long it was talked or rung. While nothing can be heard
 * (`asOf`, a time of day, else ""), a live call says how it was last known instead of counting on.
 */
export function timeOf(entry, now, words, asOf) {
  if (entry.state !== "ended") {
    return asOf ? fill(words.as_of, { time: asOf }) : length(now - entry.since);
  }
  if (["answered", "reached"].includes(entry.outcome) && entry.answered) {
    return fill(words.talked, { length: length(entry.since - entry.answered) });
  }
  const rang = entry.card?.rang;
  return rang ? fill(words.rang, { length: length(entry.since - rang) }) : "";
}

/** The look of a call: ringing, talking, missed, or over. */
export function lookOf(entry) {
  return entry.state === "ended" ? (entry.outcome === "missed" ? "missed" : "over") : entry.state;
}
