/* Who is doing what: a cell per person, filled by state. In the order of their names, so that nobody moves about and everybody
is found again; where there is room only for a square each, those who do the same stand together. */
import { hide, keepChildren, mark, part, px, say, setHidden, setText, setVariable } from "./dom.js";
import { fullestGrid, GOOD, PANEL } from "./fit.js";
import { noteOf } from "./format.js";
import { KINDS } from "./kinds.js";
import { makePerson, updatePerson } from "./person.js";

const CELLS = [
  { variant: "tall", width: 5.4, height: 2.6, worth: 1, most: 30 },
  { variant: "flat", width: 10, height: 1.5, worth: 0.96, most: 30 },
  { variant: "name", width: 5.2, height: 1.5, worth: 0.9, most: 30 },
  { variant: "initials", width: 2, height: 1.25, worth: 0.6, most: 30, gap: 3 },
  { variant: "square", width: 1, height: 1, worth: 0.2, most: 40, gap: 3 },
];
const ORDER = ["talking", "ringing", "calling", "idle", "unknown"];
const ROOMY = 8.5; // a cell this many letters wide has room for who somebody talks with
const HEAD_LETTERS = 27; // what the counts of the people need in one line
const PAIR_LETTERS = 15; // two of them beside each other
const TITLED_LETTERS = 32; // all, with their heading before them

function sizePeople(section, box, plan, found) {
  setVariable(section, "--people-font", px(found.font));
  setVariable(section, "--people-columns", String(found.columns));
  setVariable(section, "--people-rows", String(found.rows));
  setVariable(section, "--people-gap", px(found.gap));
  setVariable(section, "--head-font", px(GOOD * plan.unit));
  setVariable(section, "--head-lines", String(headLines(box, plan.unit)));
  mark(section, "variant", found.variant);
  mark(section, "room", found.roominess > ROOMY ? "wide" : "narrow");
  mark(section, "head", box.width < GOOD * plan.unit * TITLED_LETTERS ? "counts" : "titled");
}

/* data: what readState gives; page: {now, zone, words}. */
function updatePeople(section, people, data, title, page) {
  const fresh = data.events;
  mark(section, "state", fresh.isKnown ? "known" : "unknown");
  if (title) say(section, "card-title", title);
  hide(section, "people-empty", people.length > 0);
  updateSummary(section, people, fresh, page);
  const variant = section.getAttribute("data-variant");
  const isGrouped = variant === "square" && fresh.isKnown;
  const shown = isGrouped ? byState(people) : people;
  const keys = shown.map((person, index) => (isGrouped ? "place " + index : person.extension));
  const cells = keepChildren(part(section, "people-grid"), keys, makePerson);
  cells.forEach((cell, index) => updatePerson(cell, shown[index], data, variant, page));
}

/* The counts stand in two lines where one is too short, or one under the other. */
function headLines(box, unit) {
  const letters = box.width / (GOOD * unit);
  return letters < PAIR_LETTERS ? 3.6 : letters < HEAD_LETTERS ? 2.2 : 1;
}

function byState(people) {
  return ORDER.reduce((list, state) => list.concat(people.filter((person) => person.state === state)), []);
}

function updateSummary(section, people, fresh, page) {
  const summary = part(section, "people-summary");
  const note = part(section, "people-note");
  setHidden(summary, !fresh.isKnown || people.length === 0);
  setHidden(note, fresh.isKnown);
  if (!fresh.isKnown) setText(note, noteOf(fresh, page));
  const counts = {};
  people.forEach((person) => (counts[person.state] = (counts[person.state] || 0) + 1));
  Array.from(summary.children).forEach((item) => {
    const state = item.getAttribute("data-count");
    const count = counts[state] || 0;
    setHidden(item, count === 0 && state !== "talking" && state !== "idle");
    say(item, "count", String(count));
  });
}

/* The fullest cells whose text can be read from afar; where nothing can be read, a square for each. */
export function peopleOf(area, count, unit) {
  const padding = PANEL.padding * GOOD * unit;
  const inner = { width: area.width - 2 * padding, height: area.height - 2 * padding - PANEL.head * GOOD * unit * headLines(area, unit) };
  return fullestGrid(inner, count, CELLS, (shape) => (shape.gap || 6) * unit, unit);
}

KINDS.people = {
  loose: "tall",
  count: (card, data) => peopleOn(card, data).length,
  size: (node, box, plan, count) => sizePeople(node, box, plan, peopleOf(box, count, plan.unit)),
  update: (node, card, data, page) => updatePeople(node, peopleOn(card, data), data, card.title, page),
};

function peopleOn(card, data) {
  return card.people ? data.people.filter((person) => card.people.includes(person.extension)) : data.people;
}
