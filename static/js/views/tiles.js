/* A card per queue, as large as their number, their names and this screen's font allow. */
import { hidePart, keepChildren, part, px, setData, setPartText, setVariable } from "../lib/dom.js";
import { GOOD } from "./fit.js";
import { KINDS } from "./card-kinds.js";
import { makeQueueCard, updateQueueCard } from "./queue-card.js";
import { sizesOf, tilesOf } from "./queue-shapes.js";
import { areAllHidden, levelOn, queuesOf } from "./card-scope.js";

const FEW = 11; // so many cards share the last row among them, so that it has no hole

function sizeTiles(node, box, plan, count, data, page) {
  const room = { width: box.width, height: box.height - (box.card.title ? 1.5 * GOOD * plan.unit : 0) };
  const found = tilesOf(room, queuesOf(box.card, data), plan.unit, plan.gap, page);
  const sizes = sizesOf(found, page);
  const last = count % found.columns;
  node.spans = last && count <= FEW ? { each: last, last: found.columns, from: count - last } : null;
  setVariable(node, "--head-font", px(GOOD * plan.unit));
  setVariable(node, "--queues-font", px(found.font));
  setVariable(node, "--queues-columns", String(node.spans ? found.columns * last : found.columns));
  setVariable(node, "--queues-rows", String(found.rows));
  setVariable(node, "--queues-gap", px(found.gap));
  setVariable(node, "--name-lines", String(found.shape.lines));
  setData(node, "lines", found.shape.lines);
  setVariable(node, "--figure", sizes.figure.toFixed(2) + "em");
  setVariable(node, "--trend-height", sizes.trend.toFixed(2) + "em");
  setData(node, "variant", found.variant);
  setData(node, "upright", Boolean(found.shape.isUpright));
}

function updateTiles(node, card, data, page) {
  const queues = queuesOf(card, data);
  setPartText(node, "tiles-title", card.title);
  const areHidden = areAllHidden(card, data);
  hidePart(node, "queues-empty", queues.length > 0 || areHidden);
  hidePart(node, "queues-hidden", queues.length > 0 || !areHidden);
  const cards = keepChildren(
    part(node, "queues-grid"),
    queues.map((queue) => queue.number),
    makeQueueCard,
  );
  const variant = node.getAttribute("data-variant");
  cards.forEach((each, index) => {
    span(each, node.spans, index);
    updateQueueCard(each, queues[index], levelOn(card, queues[index], page), variant, page);
  });
}

function span(card, spans, index) {
  const value = spans ? "span " + (index < spans.from ? spans.each : spans.last) : "";
  if (card.spans !== value) card.style.gridColumn = value;
  card.spans = value;
}

KINDS.tiles = {
  loose: "full",
  count: (card, data) => queuesOf(card, data).length,
  size: sizeTiles,
  update: updateTiles,
};
KINDS.queue = KINDS.tiles;
