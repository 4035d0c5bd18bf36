/* Where a page may scroll, on a phone or in a small window, cards stand one under the other and the style sheet lays them out. No
TV loads this: it shows all that it has. */
import { setData } from "../lib/dom.js";
import { inReadingOrder } from "./boxes.js";
import { STACK } from "./card-kinds.js";

const NARROW = 700; // as in board-phone.css
const LOW = 460;
const ON_PHONE = { full: "glance", tall: "grouped" }; // in place of a kind's `loose`

STACK.isFor = (layout, room) => !layout.cards || room.width < NARROW || room.height < LOW;

/* An automatic board ends with its people: they may be hundreds. */
const isLast = (card) => Number(card.id === "people");

STACK.plan = (cards, room) => ({
  boxes: inReadingOrder(cards)
    .sort((one, other) => isLast(one) - isLast(other))
    .map((card) => ({ card, width: room.width, height: 0 })),
  unit: 0.62,
  gap: 12,
  height: 0,
  isStack: true,
});

STACK.unsize = (node, kind, width) => {
  node.style.cssText = "";
  node.rows = kind.rows || Infinity;
  node.places = Infinity;
  node.spans = null;
  const variant = (width < NARROW && ON_PHONE[kind.loose]) || kind.loose || "";
  const loose = { variant, upright: false, head: "titled", columns: "few", flat: false };
  Object.keys(loose).forEach((name) => setData(node, name, loose[name]));
};
