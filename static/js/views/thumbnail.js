/* A board drawn small: a rectangle per card, one per queue where a card has several, each as its queue stands. */
import { setAttribute, setData, setText } from "../lib/dom.js";
import { numbersOf } from "../alerts/list.js";
import { levelOn, queuesOf, worst } from "./card-scope.js";

const SVG = "http://www.w3.org/2000/svg";
export const WIDTH = 192;
export const HEIGHT = 108;
const EDGE = 5;
const GAP = 2.5;
const COLUMNS = 12;
const OF_EACH = ["tiles", "table"]; // a rectangle per queue
const OF_ALL = ["queue", "figure", "trend", "ribbon"]; // the worst of their queues
const TILE_SHAPE = 1.35;
const LEAST_FOR_FIGURE = 11;
const RANKS = ["closed", "normal", "unknown", "watch", "late"];

/* The cards of either form of a layout with their places: {card, x, y, width, height}. */
export function placed(layout) {
  const room = { x: EDGE, y: EDGE, width: WIDTH - 2 * EDGE, height: HEIGHT - 2 * EDGE };
  return layout.cards ? layout.cards.map((card) => onGrid(card, layout.rows, room)) : arranged(layout, room);
}

function onGrid(card, rows, room) {
  const column = (room.width + GAP) / COLUMNS;
  const row = (room.height + GAP) / rows;
  const place = { x: room.x + card.x * column, y: room.y + card.y * row };
  return { card, ...place, width: card.w * column - GAP, height: card.h * row - GAP };
}

/* As a board that arranges itself does on a TV: totals on top, the queues beside people and calls. */
function arranged(layout, room) {
  const has = (name) => layout.sections.includes(name);
  const card = (kind) => ({ kind, queues: layout.queues, people: null, levels: null });
  const top = has("totals") ? 16 : 0;
  const below = { ...room, y: room.y + (top ? top + GAP : 0), height: room.height - (top ? top + GAP : 0) };
  const beside = ["people", "calls"].filter(has);
  const left = !beside.length ? room.width : has("queues") ? room.width * 0.66 : 0;
  const found = top ? [{ card: card("totals"), ...room, height: top }] : [];
  if (has("queues")) found.push({ card: card("tiles"), ...below, width: left });
  const x = room.x + (left ? left + GAP : 0);
  const height = (below.height - GAP * (beside.length - 1)) / beside.length;
  beside.forEach((kind, index) => {
    found.push({ card: card(kind), x, y: below.y + index * (height + GAP), width: room.x + room.width - x, height });
  });
  return found;
}

/* So many rectangles in one, near the shape of a tile; rows only for a table. */
export function divided(box, count, isTable) {
  const most = isTable ? 1 : count;
  let columns = 1;
  const distance = (n) => Math.abs(Math.log(box.width / n / (box.height / Math.ceil(count / n)) / TILE_SHAPE));
  for (let n = 2; n <= most; n += 1) if (distance(n) < distance(columns)) columns = n;
  const rows = Math.ceil(count / columns);
  const gap = Math.min(GAP, box.height / rows / 4, box.width / columns / 4);
  const width = (box.width - gap * (columns - 1)) / columns;
  const height = (box.height - gap * (rows - 1)) / rows;
  return Array.from({ length: count }, (_, index) => ({
    x: box.x + (index % columns) * (width + gap),
    y: box.y + Math.floor(index / columns) * (height + gap),
    width,
    height,
  }));
}

/* Everything that is drawn of a board now: [{x, y, width, height, kind, level, figure}], and the level of each of its queues. */
export function drawing(layout, state, page) {
  const levels = new Map();
  const shapes = [];
  for (const box of placed(layout)) {
    const queues = queuesOf(box.card, { ...state, queues: state.queues.filter((queue) => queue.about) });
    const levelled = queues.map((queue) => ({ queue, level: levelOn(box.card, queue, page) }));
    const isEach = OF_EACH.includes(box.card.kind);
    if (isEach || isOfQueues(box.card)) for (const each of levelled) note(levels, each);
    if (isEach && queues.length) shapes.push(...tiles(box, levelled));
    else
      shapes.push({
        ...box,
        kind: box.card.kind,
        level: isOfQueues(box.card) ? worstOf(levelled) : "",
        figure: single(box.card, levelled),
      });
  }
  for (const queue of state.queues) {
    const about = numbersOf(layout);
    if (queue.about && (!about || about.has(queue.number)) && !levels.has(queue.number))
      note(levels, { queue, level: levelOn({}, queue, page) });
  }
  return { shapes, levels };
}

function isOfQueues(card) {
  return (
    OF_ALL.includes(card.kind) && (card.kind !== "figure" || !numbersOf({ cards: [{ ...card, queues: null }] }) || Boolean(card.queues))
  );
}

function tiles(box, levelled) {
  return divided(box, levelled.length, box.card.kind === "table").map((tile, index) => {
    const { queue, level } = levelled[index];
    return { ...tile, kind: "tile", level, figure: figureOf(queue, level) };
  });
}

function single(card, levelled) {
  return card.kind === "queue" && levelled.length === 1 ? figureOf(levelled[0].queue, levelled[0].level) : "";
}

/* How many wait; nothing that is not known now is written. */
function figureOf(queue, level) {
  return level === "unknown" ? "?" : level === "closed" ? "–" : String(queue.figures.waiting);
}

function note(levels, { queue, level }) {
  const before = levels.get(queue.number);
  levels.set(queue.number, before === undefined ? level : worstLevel([before, level]));
}

export function worstLevel(list) {
  return list.reduce((most, level) => (RANKS.indexOf(level) > RANKS.indexOf(most) ? level : most), "closed");
}

function worstOf(levelled) {
  return levelled.length ? worstLevel(levelled.map((each) => each.level)) : worst([]);
}

/* What else stands on a card, in a few strokes. */
export function marksOf({ kind, x, y, width, height }) {
  const line = (left, top, length) => "M" + (x + left).toFixed(1) + " " + (y + top).toFixed(1) + "h" + length.toFixed(1);
  const rows = Array.from({ length: Math.max(0, Math.floor((height - 4) / 5)) }, (_, index) => 5 + index * 5);
  if (kind === "totals") return [0, 1, 2, 3, 4].map((index) => line(4 + (index * (width - 4)) / 5, height / 2, width / 9)).join("");
  if (kind === "people") return rows.map((top) => line(4, top, width * 0.34) + line(width * 0.54, top, width * 0.34)).join("");
  if (kind === "calls" || kind === "callbacks") return rows.map((top) => line(4, top, width - 8)).join("");
  if (kind === "text" || kind === "notice") return line(4, height / 2, width * 0.6);
  if (kind !== "trend") return "";
  const steps = [0.7, 0.5, 0.62, 0.3, 0.45, 0.25].map(
    (part, index) => (x + 3 + (index * (width - 6)) / 5).toFixed(1) + " " + (y + part * height).toFixed(1),
  );
  return "M" + steps.join("L");
}

/* Brings the drawing up to date, touching only what differs. */
export function updateThumbnail(svg, shapes) {
  while (svg.childElementCount > shapes.length) svg.removeChild(svg.lastChild);
  while (svg.childElementCount < shapes.length) svg.appendChild(makeShape());
  shapes.forEach((shape, index) => drawShape(svg.children[index], shape));
}

function makeShape() {
  const group = document.createElementNS(SVG, "g");
  group.appendChild(document.createElementNS(SVG, "rect"));
  group.appendChild(document.createElementNS(SVG, "path"));
  group.appendChild(document.createElementNS(SVG, "text"));
  return group;
}

function drawShape(group, shape) {
  const [rect, marks, text] = group.children;
  const at = { x: shape.x, y: shape.y, width: Math.max(0, shape.width), height: Math.max(0, shape.height) };
  for (const [name, value] of Object.entries(at)) setAttribute(rect, name, value.toFixed(1));
  setAttribute(rect, "rx", Math.min(3, shape.height / 4).toFixed(1));
  setAttribute(marks, "d", marksOf(shape));
  setData(group, "level", shape.level);
  const size = Math.min(shape.height * 0.62, shape.width * 0.45, 34);
  setText(text, shape.figure && shape.height >= LEAST_FOR_FIGURE && shape.width >= LEAST_FOR_FIGURE ? shape.figure : "");
  setAttribute(text, "x", (shape.x + shape.width / 2).toFixed(1));
  setAttribute(text, "y", (shape.y + shape.height / 2 + size * 0.36).toFixed(1));
  setAttribute(text, "font-size", size.toFixed(1));
}
