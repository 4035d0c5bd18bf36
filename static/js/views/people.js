/* Who is doing what: a cell per person, filled by state, in the order of their names so that nobody moves about. */
import { fromTemplate, keepChildren, part, setAttribute, setHidden, setText } from "./dom.js";
import { clock, duration, fill, shortName, span, UNKNOWN } from "./format.js";

const SHOWN = ["talking", "ringing", "calling", "idle"];

export function sortedPeople(docs) {
  const people = Array.from(docs.entries()).filter((entry) => entry[0] !== "events").map((entry) => entry[1]);
  const name = (person) => person.name || person.extension;
  return people.sort((one, other) => name(one).localeCompare(name(other), undefined, { numeric: true }));
}

/* fresh: freshness.ofEvents; page: {now, zone, words}. */
export function updatePeople(section, people, fresh, page) {
  setAttribute(section, "data-state", fresh.isKnown ? "known" : "unknown");
  setHidden(part(section, "people-empty"), people.length > 0);
  updateSummary(section, people, fresh, page);
  const cells = keepChildren(part(section, "people-grid"), people.map((person) => person.extension), makePerson);
  cells.forEach((cell, index) => updatePerson(cell, people[index], fresh, page));
}

function makePerson() {
  return fromTemplate("person");
}

export function updatePerson(cell, person, fresh, page) {
  const state = fresh.isKnown ? person.state : "unknown";
  setAttribute(cell, "data-state", fresh.isKnown && state === "unknown" ? "unseen" : state);
  const name = person.name || person.extension;
  setText(part(cell, "person-name"), shortName(name));
  setAttribute(cell, "title", name);
  setText(part(cell, "person-word"), fresh.isKnown ? page.words.presence[state] || state : UNKNOWN);
  setText(part(cell, "person-time"), fresh.isKnown ? timeOf(person, page) : "");
  setText(part(cell, "person-with"), fresh.isKnown && person.with ? person.with : "");
}

function timeOf(person, page) {
  if (!person.since || person.state === "unknown" || person.state === "ringing") return "";
  const seconds = (page.now - person.since) / 1000;
  return person.state === "idle" ? span(seconds, page.words.short) : duration(seconds);
}

function updateSummary(section, people, fresh, page) {
  const summary = part(section, "people-summary");
  const note = part(section, "people-note");
  setHidden(summary, !fresh.isKnown || people.length === 0);
  setHidden(note, fresh.isKnown);
  setText(note, noteOf(fresh, page));
  Array.from(summary.children).forEach((item) => {
    const state = item.getAttribute("data-count");
    const count = people.filter((person) => person.state === state).length;
    setHidden(item, count === 0 && state !== "talking" && state !== "idle");
    setText(part(item, "count"), String(count));
  });
}

export function noteOf(fresh, page) {
  if (fresh.state === "starting") return page.words.events_starting;
  if (!fresh.since) return page.words.no_data_yet;
  return fill(page.words.no_data_since, { time: clock(fresh.since, page.zone, page.now) });
}

export { SHOWN };
