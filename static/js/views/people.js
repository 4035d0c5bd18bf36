/* Who is doing what: a cell per person, filled by state. In the order of their names so that nobody moves about; where there is
room only for initials or a square each, those who do the same stand together. */
import { fromTemplate, keepChildren, part, setAttribute, setHidden, setText, setVariable } from "./dom.js";
import { GOOD } from "./fit.js";
import { clock, duration, fill, shortName, span, UNKNOWN } from "./format.js";
import { saidWords } from "./said.js";

const ORDER = ["talking", "ringing", "calling", "idle", "unknown"];
const DENSE = ["initials", "square"];
const ROOMY = 8.5; // a cell this many letters wide has room for who somebody talks with
const HEAD_LETTERS = 18.5; // what the counts of the people need
const TITLED_LETTERS = 23.5; // with their heading before them
const byName = new Intl.Collator(undefined, { numeric: true }).compare;

export function sortedPeople(docs) {
  const people = Array.from(docs.entries()).filter((entry) => entry[0] !== "events").map((entry) => entry[1]);
  const name = (person) => person.name || person.extension;
  return people.sort((one, other) => byName(name(one), name(other)));
}

/* found: what fit.peopleOf gives. */
export function sizePeople(section, box, plan, found) {
  const px = (value) => Math.floor(value * 10) / 10 + "px";
  setVariable(section, "--people-font", px(found.font));
  setVariable(section, "--people-columns", String(found.columns));
  setVariable(section, "--people-rows", String(found.rows));
  setVariable(section, "--people-gap", px(found.gap));
  setVariable(section, "--head-font", px(Math.min(GOOD * plan.unit, box.width / HEAD_LETTERS)));
  setAttribute(section, "data-variant", found.variant);
  setAttribute(section, "data-room", found.roominess > ROOMY ? "wide" : "narrow");
  setAttribute(section, "data-head", box.width < GOOD * plan.unit * TITLED_LETTERS ? "counts" : "titled");
}

/* fresh: freshness.ofEvents; page: {now, zone, words}. */
export function updatePeople(section, people, fresh, title, page) {
  setAttribute(section, "data-state", fresh.isKnown ? "known" : "unknown");
  if (title) setText(part(section, "card-title"), title);
  setHidden(part(section, "people-empty"), people.length > 0);
  updateSummary(section, people, fresh, page);
  const variant = section.getAttribute("data-variant");
  const shown = DENSE.indexOf(variant) !== -1 && fresh.isKnown ? byState(people) : people;
  const cells = keepChildren(part(section, "people-grid"), shown.map((person) => person.extension), makePerson);
  cells.forEach((cell, index) => updatePerson(cell, shown[index], fresh, variant, page));
}

function byState(people) {
  return ORDER.reduce((list, state) => list.concat(people.filter((person) => person.state === state)), []);
}

function makePerson() {
  return fromTemplate("person");
}

export function updatePerson(cell, person, fresh, variant, page) {
  const state = fresh.isKnown ? person.state : "unknown";
  setAttribute(cell, "data-state", fresh.isKnown && state === "unknown" ? "unseen" : state);
  const name = person.name || person.extension;
  const word = fresh.isKnown ? page.words.presence[state] || state : UNKNOWN;
  setText(part(cell, "person-name"), variant === "initials" ? initials(name) : shortName(name));
  const said = saidWords(person, page);
  setAttribute(cell, "data-said", said !== "");
  setAttribute(cell, "title", [name, DENSE.indexOf(variant) === -1 ? "" : word, said].filter(Boolean).join(", "));
  setText(part(cell, "person-word"), word);
  setText(part(cell, "person-time"), fresh.isKnown ? timeOf(person, page) : "");
  setText(part(cell, "person-with"), said || (fresh.isKnown && person.with ? person.with : ""));
}

/* Two letters, or the last digits of an extension without a name. */
function initials(name) {
  const words = name.trim().split(/\s+/);
  if (/^\d+$/.test(name)) return name.slice(-2);
  const second = words.length > 1 ? words[words.length - 1] : Array.from(words[0]).slice(1).join("");
  return (Array.from(words[0])[0] || "") + (Array.from(second)[0] || "");
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
