/* What somebody says of themself, "lunch, back 13:30": one word and the time of return; over at that time by our clock. */
import { clock, fill } from "./format.js";

export function isSaid(person, now) {
  return Boolean(person.said) && (!person.said.until || person.said.until > now);
}

/* page: {now, zone, words: {said}}; "" where nothing is said. */
export function saidWords(person, page) {
  if (!isSaid(person, page.now)) return "";
  const words = page.words.said;
  const word = words[person.said.word] || person.said.word;
  return person.said.until ? fill(words.back, { word, time: clock(person.said.until, page.zone, page.now) }) : word;
}
