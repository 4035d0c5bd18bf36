/* Where each card stands, in pixels. Pure arithmetic: a layout and a room in, boxes out. */
import { unitOf } from "./fit.js";
import { KINDS, STACK } from "./card-kinds.js";

const COLUMNS = 12;
const FEW = 6; // columns on a tall screen
const ROW = 62; // the least height of a row where the page may scroll
export const LEAST = {
  totals: 6,
  tiles: 3,
  queue: 2,
  table: 4,
  figure: 2,
  trend: 2,
  ribbon: 3,
  people: 2,
  calls: 3,
  callbacks: 2,
  notice: 2,
  clock: 2,
  text: 2,
  image: 1,
};

/* layout: either form, `zoom` where a card fills a frame; room: {width, height}; isSmall: whether the page may scroll, cards one under the other where stack.js says so. Answers {boxes: [{card, x, y, width, height}], unit, gap,
height, isStack}; in a stack boxes have no place of their own, the style sheet lays them out. */
export function boxesOf(layout, data, room, isSmall, page) {
  const unit = unitOf(room) * (layout.zoom || 1);
  const gap = Math.max(4, 16 * unit);
  const { automatic } = KINDS;
  if (isSmall && STACK.isFor(layout, room)) return STACK.plan(layout.cards || automatic.cards(layout), room);
  if (!layout.cards) return { boxes: automatic.boxes(layout, data, room, unit, gap, page), unit, gap, height: room.height };
  const placed = room.height > room.width ? repacked(layout.cards) : layout;
  return grid(placed, placed.columns || COLUMNS, room, isSmall, unit);
}

function grid(layout, columns, room, isSmall, whole) {
  const height = isSmall ? Math.max(room.height, layout.rows * ROW) : room.height;
  const unit = isSmall ? Math.max(0.62, whole) : whole;
  const gap = Math.max(4, 16 * unit);
  const step = { x: (room.width + gap) / columns, y: (height + gap) / layout.rows };
  const boxes = layout.cards.map((card) => ({
    card,
    x: card.x * step.x,
    y: card.y * step.y,
    width: card.w * step.x - gap,
    height: card.h * step.y - gap,
  }));
  return { boxes, unit, gap, height };
}

export function inReadingOrder(cards) {
  return cards.slice().sort((one, other) => one.y - other.y || one.x - other.x);
}

/* Half as many columns: each card at half its width, at the first free place that is not above the card before it. What stood
beside each other still does, where the least widths allow it; the five totals get two lines instead. */
function repacked(cards) {
  const taken = [];
  const isFree = (x, y, w, h) => taken.every((each) => each.x + each.w <= x || x + w <= each.x || each.y + each.h <= y || y + h <= each.y);
  let from = 0;
  inReadingOrder(cards).forEach((card) => {
    const w = Math.min(FEW, Math.max(Math.min(LEAST[card.kind], FEW), half(card.x + card.w) - half(card.x)));
    const h = card.kind === "totals" ? card.h * 2 : card.h;
    let place = from * FEW;
    while ((place % FEW) + w > FEW || !isFree(place % FEW, Math.floor(place / FEW), w, h)) place += 1;
    from = Math.floor(place / FEW);
    taken.push(Object.assign({}, card, { x: place % FEW, y: from, w, h }));
  });
  return { cards: taken, rows: taken.reduce((most, card) => Math.max(most, card.y + card.h), 1), columns: FEW };
}

function half(edge) {
  return Math.round((edge * FEW) / COLUMNS);
}
