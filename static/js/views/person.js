/* One person on a board: a cell filled by state, with as much text as its variant has room for. */
import { fromTemplate, isDrawn, part, setData, setPartText } from "../lib/dom.js";
import { duration, shortName, span, UNKNOWN } from "../lib/format.js";
import { eventAgeText } from "./event-age.js";
import { partyOf } from "./parties.js";
import { statusText } from "./status.js";

const BARE = ["name"]; // variants that show no state in words
const NUMBER = /^[+\d•]/; // also a masked one: the beginning of it tells nothing
const COUNTED = ["talking", "ringing", "calling"]; // states whose seconds count

export function makePerson() {
  return fromTemplate("person");
}

/* data: {events: freshness.ofEvents, parties}; page: {now, zone, texts}. */
export function updatePerson(cell, person, data, variant, page) {
  const isKnown = data.events.isKnown;
  const party = isKnown ? partyOf(person, data.parties, page) : "";
  const news = isKnown ? eventAgeText(person, page) : "";
  const status = statusText(person, page);
  const isBare = BARE.includes(variant);
  // Hundreds of people on a TV: only those of whom something changed are drawn.
  if (isDrawn(cell, [person, isKnown, party, status, news, variant], isKnown && !isBare && isCounting(person, page), page.now)) return;
  const state = isKnown ? person.state : "unknown";
  const word = isKnown ? page.texts.presence[state] || state : UNKNOWN;
  const name = person.name || person.extension;
  setData(cell, "state", isKnown && state === "unknown" ? "unseen" : state);
  setData(cell, "has-status", status !== "");
  if (cell.called !== name) setPartText(cell, "person-name", shortName(name));
  cell.called = name;
  setData(cell, "news", news ? "old" : "fresh");
  cell.details = { person, name, word, party, status, news };
  if (isBare) return;
  setPartText(cell, "person-word", word);
  setPartText(cell, "person-time", isKnown ? timeOf(person, page) : "");
  setData(part(cell, "person-with"), "number", !status && NUMBER.test(party));
  setPartText(cell, "person-with", status || [party, news].filter(Boolean).join(" · "));
}

/* Idle time is told in minutes from the first one on. */
function isCounting(person, page) {
  return COUNTED.includes(person.state) || (person.since > 0 && page.now - person.since < 60000);
}

function timeOf(person, page) {
  if (!person.since || person.state === "unknown") return "";
  const seconds = (page.now - person.since) / 1000;
  return person.state === "idle" ? span(seconds, page.texts.short) : duration(seconds);
}
