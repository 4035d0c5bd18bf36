/* One person on a board: a cell filled by state, with as much text as its variant has room for. */
import { fromTemplate, isDrawn, mark, say } from "./dom.js";
import { duration, shortName, span, UNKNOWN } from "./format.js";
import { partyOf } from "./parties.js";
import { saidWords } from "./said.js";

const BARE = ["name", "initials", "square"]; // variants that show no state in words
const COUNTED = ["talking", "ringing", "calling"]; // states whose seconds count

export function makePerson() {
  return fromTemplate("person");
}

/* data: {events: freshness.ofEvents, parties}; page: {now, zone, words}. */
export function updatePerson(cell, person, data, variant, page) {
  const isKnown = data.events.isKnown;
  const party = isKnown ? partyOf(person, data.parties, page) : "";
  const said = saidWords(person, page);
  const isBare = BARE.includes(variant);
  if (isDrawn(cell, [person, isKnown, party, said, variant], isKnown && !isBare && isCounting(person, page), page.now)) return;
  const state = isKnown ? person.state : "unknown";
  const word = isKnown ? page.words.presence[state] || state : UNKNOWN;
  const name = person.name || person.extension;
  mark(cell, "state", isKnown && state === "unknown" ? "unseen" : state);
  mark(cell, "said", said !== "");
  if (variant !== "square") say(cell, "person-name", variant === "initials" ? initials(name) : shortName(name));
  cell.told = { person, name, word, party, said };
  if (isBare) return;
  say(cell, "person-word", word);
  say(cell, "person-time", isKnown ? timeOf(person, page) : "");
  say(cell, "person-with", said || party);
}

/* Idle time is told in minutes from the first one on. */
function isCounting(person, page) {
  return COUNTED.includes(person.state) || (person.since > 0 && page.now - person.since < 60000);
}

/* Two letters, or the last digits of an extension without a name. */
function initials(name) {
  const words = name.trim().split(/\s+/);
  if (/^\d+$/.test(name)) return name.slice(-2);
  const second = words.length > 1 ? words[words.length - 1] : Array.from(words[0]).slice(1).join("");
  return (Array.from(words[0])[0] || "") + (Array.from(second)[0] || "");
}

function timeOf(person, page) {
  if (!person.since || person.state === "unknown") return "";
  const seconds = (page.now - person.since) / 1000;
  return person.state === "idle" ? span(seconds, page.words.short) : duration(seconds);
}
