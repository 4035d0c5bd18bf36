/* The kinds of cards. Each has the name of its template, size(node, box, plan, count), update(node, card, data, page), where it
matters how many things stand on it count(card, data). Where the page scrolls, `stacked` is its height in px; without, it takes
what it needs, as variant `loose`, with so many `rows`. */
import { updateCalls } from "./calls.js";
import { keepChildren, part, setAttribute, setHidden, setText, setVariable } from "./dom.js";
import { FIGURES, px } from "./figure-card.js";
import { bestGrid, callsOf, GOOD, peopleOf, queuesOf as gridOf } from "./fit.js";
import { LINES } from "./line-cards.js";
import { sizePeople, updatePeople } from "./people.js";
import { makeQueueCard, updateQueueCard } from "./queue-card.js";
import { isFresh } from "./reading.js";
import { sizeTable, updateTable } from "./table.js";
import { updateTotals } from "./totals.js";
import { countedFor, levelOn, queuesOf } from "./values.js";

const HIGH = 11.9; // a queue card this many lines high has room for its trend across the whole width
const TOTAL = [{ width: 11, height: 5.6, worth: 1, most: 44 }];

const totals = {
  template: "totals",
  size(node, box, plan) {
    const found = bestGrid(box, node.children.length, TOTAL, plan.gap, plan.unit);
    setVariable(node, "--totals-font", px(found.font));
    setVariable(node, "--totals-columns", String(found.columns));
    setAttribute(node, "data-spare", found.columns * found.rows - node.children.length);
  },
  update(node, card, data, page) {
    const isWhole = !card.w;
    const doc = isWhole ? data.today : countedFor(card, data);
    updateTotals(node, Object.assign({}, data, {
      queues: queuesOf(card, data),
      events: data.callEvents,
      today: doc,
      todayFresh: isFresh(doc, page.now, data.isSilent),
    }), page);
  },
};

const tiles = {
  template: "tiles",
  loose: "full",
  count: (card, data) => queuesOf(card, data).length,
  size(node, box, plan, count) {
    const room = { width: box.width, height: box.height - (box.card.title ? 1.5 * GOOD * plan.unit : 0) };
    setVariable(node, "--head-font", px(GOOD * plan.unit));
    const found = gridOf(room, count, plan.unit, plan.gap);
    setVariable(node, "--queues-font", px(found.font));
    setVariable(node, "--queues-columns", String(found.columns));
    setVariable(node, "--queues-rows", String(found.rows));
    setVariable(node, "--queues-gap", px(found.gap));
    setAttribute(node, "data-variant", found.variant);
    setAttribute(node, "data-high", found.highness > HIGH);
  },
  update(node, card, data, page) {
    const queues = queuesOf(card, data);
    setText(part(node, "tiles-title"), card.title);
    setHidden(part(node, "queues-empty"), queues.length > 0);
    const cards = keepChildren(part(node, "queues-grid"), queues.map((queue) => queue.number), makeQueueCard);
    cards.forEach((each, index) => updateQueueCard(each, queues[index], levelOn(card, queues[index], page), page));
  },
};

const table = {
  template: "table",
  count: (card, data) => queuesOf(card, data).length,
  size: sizeTable,
  update: updateTable,
};

const people = {
  template: "people",
  loose: "tall",
  count: (card, data) => peopleOn(card, data).length,
  size: (node, box, plan, count) => sizePeople(node, box, plan, peopleOf(box, count, plan.unit)),
  update: (node, card, data, page) => updatePeople(node, peopleOn(card, data), data.events, card.title, page),
};

function peopleOn(card, data) {
  return card.people ? data.people.filter((person) => card.people.indexOf(person.extension) !== -1) : data.people;
}

const calls = {
  template: "calls",
  rows: 12,
  size(node, box, plan) {
    const found = callsOf(box, plan.unit);
    setVariable(node, "--calls-font", px(found.font));
    node.rows = found.rows;
  },
  update(node, card, data, page) {
    const names = new Map();
    data.byNumber.forEach((queue, number) => names.set(number, queue.about ? queue.about.name : number));
    updateCalls(node, data.calls, data.callEvents, node.rows, names, page, card.title);
  },
};

export const KINDS = Object.assign({ totals, tiles, queue: tiles, table, people, calls }, FIGURES, LINES);
