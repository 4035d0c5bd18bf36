/* What somebody says of themself, "lunch, back 13:30": one word and the time of return; over at that time by our clock. */
import { clock, fill } from "../lib/format.js";

export function hasStatus(person, now) {
  return Boolean(person.status) && (!person.status.until || person.status.until > now);
}

/* page: {now, zone, texts: {statuses}}; "" where nothing is said. */
export function statusText(person, page) {
  if (!hasStatus(person, page.now)) return "";
  const texts = page.texts.statuses;
  const word = texts[person.status.kind] || person.status.kind;
  return person.status.until ? fill(texts.back, { word, time: clock(person.status.until, page.zone, page.now) }) : word;
}
