/* Who can take it: those who are free first, then those whose phone rings, those who talk, those who were not seen; each group by
name. Where not everybody has a place, the free ones keep theirs and the others take turns. */
import { hidePart, keepChildren, part, px, setData, setHidden, setPartText, setText, setVariable } from "../lib/dom.js";
import { GOOD } from "./fit.js";
import { noteOf } from "../lib/format.js";
import { KINDS } from "./card-kinds.js";
import { makePerson, updatePerson } from "./person.js";
import { peopleOf } from "./roster-shapes.js";
import { hasStatus } from "./status.js";

const ORDER = ["idle", "ringing", "calling", "talking", "unknown"];
const TURN_MS = 8000;
const plurals = new Intl.PluralRules(document.documentElement.lang || "en");
const PINNED = 0.6; // of the places, at most, for those who are free

function sizePeople(section, box, plan, found) {
  setVariable(section, "--people-font", px(found.font));
  setVariable(section, "--people-columns", String(found.columns));
  setVariable(section, "--people-rows", String(found.rows));
  setVariable(section, "--people-gap", px(found.gap));
  setVariable(section, "--head-font", px(GOOD * plan.unit));
  setVariable(section, "--head-lines", String(found.head.lines));
  setData(section, "lines", String(found.head.lines));
  setData(section, "variant", found.variant);
  setData(section, "head", found.head.isTitled ? "titled" : "counts");
  section.places = found.isTurning ? found.columns * found.rows : Infinity;
}

/* data: what readState gives; page: {now, zone, texts}. */
function updatePeople(section, people, data, title, page) {
  const fresh = data.events;
  setData(section, "state", fresh.isKnown ? "known" : "unknown");
  if (title) setPartText(section, "card-title", title);
  hidePart(section, "people-empty", people.length > 0);
  updateSummary(section, people, fresh, page);
  const variant = section.getAttribute("data-variant");
  const shown = turned(fresh.isKnown ? byState(people, page) : people, section.places, page);
  const cells = keepChildren(
    part(section, "people-grid"),
    shown.map((person) => person.extension),
    makePerson,
    true,
  );
  cells.forEach((cell, index) => updatePerson(cell, shown[index], data, variant, page));
}

/* Who says of themself that they are away comes after those who can take a call. */
function byState(people, page) {
  const places = [[], [], [], [], [], []];
  people.forEach((person) => {
    const place = ORDER.indexOf(person.state);
    places[place === -1 ? 5 : place || !hasStatus(person, page.now) ? place : 4].push(person);
  });
  return [].concat(...places);
}

function turned(people, places, page) {
  if (people.length <= places) return people;
  const free = people.filter((person) => person.state === "idle" && !hasStatus(person, page.now));
  const pinned = people.slice(0, Math.min(free.length, Math.floor(places * PINNED)));
  const others = people.slice(pinned.length);
  const size = places - pinned.length;
  const turns = Math.ceil(others.length / size);
  // The last turn is full too: it shows some of the turn before again.
  const first = Math.min((Math.floor(page.now / TURN_MS) % turns) * size, others.length - size);
  return pinned.concat(others.slice(first, first + size));
}

function updateSummary(section, people, fresh, page) {
  const summary = part(section, "people-summary");
  const note = part(section, "people-note");
  setHidden(summary, !fresh.isKnown || people.length === 0);
  setHidden(note, fresh.isKnown);
  if (!fresh.isKnown) setText(note, noteOf(fresh, page));
  const counts = {};
  people.forEach((person) => (counts[person.state] = (counts[person.state] || 0) + 1));
  const tallies = section.tallies || (section.tallies = Array.from(summary.children));
  tallies.forEach((item) => {
    const state = item.state || (item.state = item.getAttribute("data-count"));
    const count = counts[state] || 0;
    if (item.count === count) return;
    item.count = count;
    setHidden(item, count === 0 && state !== "talking" && state !== "idle");
    setPartText(item, "count", String(count));
    const forms = page.texts.tallies[state];
    setPartText(item, "tally-word", forms[plurals.select(count)] || forms.other);
  });
  setData(section, "dials", Boolean(counts.calling));
}

KINDS.people = {
  loose: "tall",
  count: (card, data) => peopleOn(card, data).length,
  size: (node, box, plan, count, data, page) => sizePeople(node, box, plan, peopleOf(box, peopleOn(box.card, data), plan.unit, page)),
  update: (node, card, data, page) => updatePeople(node, peopleOn(card, data), data, card.title, page),
};

function peopleOn(card, data) {
  return card.people ? data.people.filter((person) => card.people.includes(person.extension)) : data.people;
}
