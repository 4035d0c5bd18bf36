/* Queues as a table in which those that need somebody stand on top. */
import { fromTemplate, hidePart, keepChildren, part, px, setData, setPartText, setVariable } from "../lib/dom.js";
import { duration, fill, UNKNOWN } from "../lib/format.js";
import { GOOD } from "./fit.js";
import { KINDS } from "./card-kinds.js";
import { averageNow, isHidden, longestNow } from "./sums.js";
import { levelOn, nameOf, queuesOf, worst } from "./card-scope.js";

const ALARMED = -1; // an open alert stands above everything
const RANKS = { late: 0, watch: 1, unknown: 2, normal: 3, closed: 4 };
const ROW = 1.55; // height of a row in its own letters
const WIDE = 27; // letters for all columns; MIDDLE: without the average
const MIDDLE = 21;
const MOST = { small: 26, normal: 40, large: 60 };

function sizeTable(node, box, plan, count) {
  const good = GOOD * plan.unit;
  const head = 2 * ROW + 0.8;
  const font = Math.max(
    good,
    Math.min(box.height / ((Math.max(1, count) + head) * ROW), (box.width - 30 * plan.unit) / WIDE, MOST[box.card.size] * plan.unit),
  );
  const letters = box.width / font;
  setVariable(node, "--card-font", px(font));
  setData(node, "columns", letters >= WIDE ? "all" : letters >= MIDDLE ? "most" : "few");
  node.rows = Math.max(1, Math.floor((box.height / font - head) / ROW));
}

function updateTable(node, card, data, page) {
  const rows = queuesOf(card, data).map((queue, place) => ({ queue, place, level: levelOn(card, queue, page) }));
  const rank = (row) => (data.alarmed && data.alarmed.has(row.queue.number) ? ALARMED : RANKS[row.level]);
  rows.sort((one, other) => rank(one) - rank(other) || one.place - other.place);
  const shown = rows.length > node.rows ? rows.slice(0, Math.max(1, node.rows - 1)) : rows;
  setPartText(node, "card-title", card.title || page.texts.queues);
  setData(node, "state", data.fresh.isKnown ? "known" : "unknown");
  const made = keepChildren(
    part(node, "table-rows"),
    shown.map((row) => row.queue.number),
    () => fromTemplate("table-row"),
  );
  made.forEach((row, index) => updateRow(row, shown[index], page));
  const rest = rows.slice(shown.length);
  hidePart(node, "table-more", rest.length === 0);
  setPartText(node, "table-more", moreText(rest, page));
}

/* How the worst of the rest stands; all is well only where every one of them is known. */
function moreText(rest, page) {
  const level = worst(rest.map((row) => row.level));
  if (level === "normal" && rest.some((row) => row.level === "unknown")) return fill(page.texts.more_unknown, { n: rest.length });
  return fill(page.texts.more_queues, { n: rest.length, level: page.texts.levels[level] || page.texts.all_normal });
}

function updateRow(row, told, page) {
  const figures = told.queue.figures;
  const isKnown = told.level !== "unknown";
  const wait = (seconds) => (!isKnown || isHidden(figures, seconds) ? UNKNOWN : duration(seconds));
  setData(row, "level", told.level);
  setPartText(row, "table-name", nameOf(told.queue));
  setPartText(row, "card-word", page.texts.levels[told.level] || "");
  setPartText(row, "table-waiting", isKnown ? String(figures.waiting) : UNKNOWN);
  setPartText(row, "table-longest", wait(isKnown ? longestNow(figures, told.queue.readAt, page.now) : null));
  setPartText(row, "table-average", wait(isKnown ? averageNow(figures) : null));
  setPartText(row, "table-available", isKnown ? (figures.available === null ? UNKNOWN : String(figures.available)) : UNKNOWN);
}

KINDS.table = {
  count: (card, data) => queuesOf(card, data).length,
  size: sizeTable,
  update: updateTable,
};
