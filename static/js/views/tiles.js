/* A card per queue, as large as their number allows. */
import { hide, keepChildren, mark, part, px, say, setVariable } from "./dom.js";
import { fullestGrid, GOOD } from "./fit.js";
import { KINDS } from "./kinds.js";
import { makeQueueCard, updateQueueCard } from "./queue-card.js";
import { levelOn, queuesOf } from "./scope.js";

const CARDS = [
  { variant: "full", width: 13.9, height: 9.6, worth: 1, most: 60 },
  { variant: "compact", width: 11, height: 4.5, worth: 0.72, most: 28 },
  { variant: "line", width: 16, height: 1.8, worth: 0.5, most: 28 },
];
const HIGH = 11.9; // a queue card this many lines high has room for its trend across the whole width

/* Many cards stand closer together. */
export function tilesOf(area, count, unit, gap) {
  return fullestGrid(area, count, CARDS, () => (count > 24 ? gap / 3 : count > 12 ? gap / 2 : gap), unit);
}

KINDS.tiles = {
  loose: "full",
  count: (card, data) => queuesOf(card, data).length,
  size(node, box, plan, count) {
    const room = { width: box.width, height: box.height - (box.card.title ? 1.5 * GOOD * plan.unit : 0) };
    setVariable(node, "--head-font", px(GOOD * plan.unit));
    const found = tilesOf(room, count, plan.unit, plan.gap);
    setVariable(node, "--queues-font", px(found.font));
    setVariable(node, "--queues-columns", String(found.columns));
    setVariable(node, "--queues-rows", String(found.rows));
    setVariable(node, "--queues-gap", px(found.gap));
    mark(node, "variant", found.variant);
    setVariable(node, "--trend-height", Math.max(0, found.highness - HIGH + 1.7).toFixed(1) + "em");
    mark(node, "high", found.highness > HIGH);
  },
  update(node, card, data, page) {
    const queues = queuesOf(card, data);
    say(node, "tiles-title", card.title);
    hide(node, "queues-empty", queues.length > 0);
    const cards = keepChildren(part(node, "queues-grid"), queues.map((queue) => queue.number), makeQueueCard);
    const isWhole = node.getAttribute("data-variant") === "full";
    cards.forEach((each, index) => updateQueueCard(each, queues[index], levelOn(card, queues[index], page), isWhole, page));
  },
};
KINDS.queue = KINDS.tiles;
