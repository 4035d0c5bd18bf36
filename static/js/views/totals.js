/* The row of large figures over all queues of the board. */
import { part, px, setData, setPartText, setText, setVariable } from "../lib/dom.js";
import { bestGrid } from "./fit.js";
import { duration, fill, NONE, UNKNOWN } from "../lib/format.js";
import { KINDS, templateOf } from "./card-kinds.js";
import { showLevel } from "./levels.js";
import { isFresh } from "./board-state.js";
import { countedFor, levelBy, queuesOf, toldOf } from "./card-scope.js";
import { halved } from "./queue-shapes.js";
import { widest, widthOf } from "./ruler.js";
import * as sums from "./sums.js";

const FIGURE = { size: 3.7, high: 3.25 }; // css/parts/total.css has the same sizes
const PADDING = { wide: 1.8, high: 1.15 };
const LINE = 1.2;

/* One figure with its words, in letters. Two lines hold a label, or one of calls of today with its note below; where that is too wide,
a third is the note's. */
export function totalShapes() {
  const { content } = /** @type {HTMLTemplateElement} */ (templateOf("totals"));
  const labels = Array.from(content.querySelectorAll(".total-label"), (label) => label.textContent);
  const noted = Array.from(content.querySelectorAll('[data-total="unanswered"] .total-label'), (label) => label.textContent);
  const least = Math.max(widthOf("00:00", true) * FIGURE.size, ...labels.map(halved));
  const shape = (lines, width) => ({
    width: PADDING.wide + width,
    height: PADDING.high + FIGURE.high + LINE * lines,
    lines,
    worth: 1,
    most: 44,
  });
  return [shape(2, Math.max(least, widest(noted) + 0.5)), shape(3, least)];
}

/* state: {queues, namesQueues, poll, fresh, events, today, todayFresh}; page: {now, zone, texts}. */
function updateTotals(section, state, page) {
  const values = figuresOf(state, page);
  Array.from(section.children).forEach((card) => {
    const value = values[card.getAttribute("data-total")];
    const text = value.text;
    setPartText(card, "total-figure", text);
    setPartText(card, "total-note", value.note || "");
    const label = part(card, "total-label");
    setText(label, label.getAttribute(value.isKnown && value.note ? "data-short" : "data-whole"));
    setData(card, "state", value.isKnown ? "known" : value.isBeyond ? "beyond" : "unknown");
    setData(card, "digits", Math.min(8, text.length));
    showLevel(card, value.level || "normal", page);
  });
}

function figuresOf(state, page) {
  const isOld = !state.fresh.isKnown && Boolean(state.fresh.since);
  const known = state.queues.filter((queue) => (isOld ? queue.figures && !queue.figures.missing_since : queue.fresh.isKnown));
  // Of queues that it names and that are not there nobody knows anything; a company without queues has nobody waiting.
  const isKnown = state.fresh.isKnown && (known.length > 0 || (state.queues.length === 0 && !state.namesQueues));
  const readAt = state.poll ? state.poll.read_at : 0;
  const sum = sums.totals(
    known.map((queue) => queue.figures),
    readAt,
    isOld ? readAt : page.now,
  ); // an old wait does not go on
  const note =
    isKnown && known.length < state.queues.length ? fill(page.texts.some_queues, { n: known.length, of: state.queues.length }) : "";
  const text = (value) => (isKnown || (isOld && known.length) ? value : UNKNOWN);
  const wait = (name) => (sum.hidden[name] ? { isKnown: false, text: UNKNOWN } : { isKnown, note, text: text(duration(sum[name])) });
  return {
    waiting: { isKnown, note, text: text(String(sum.waiting)), level: isKnown && levelBy(state.levels || {}, sum.waiting) },
    longest: wait("longest"),
    average: wait("average"),
    late: todayFigure(state, page, state.fresh.isKnown, (today) => String(Math.round(today.late_seconds / 60))),
    unanswered: todayFigure(state, page, state.events.isKnown, (today) => String(today.unanswered), toldOf),
  };
}

/* What was counted last stays, dimmed, while nobody knows whether it holds. Counted over all queues, it reaches nobody limited. */
function todayFigure(state, page, isTrusted, read, told) {
  if (page.isLimited && isTrusted && !state.today) return { isBeyond: true, text: NONE, note: page.texts.beyond_limit };
  const isThere = Boolean(state.today) && read(state.today) !== "null";
  const isKnown = isThere && state.todayFresh && isTrusted;
  return { isKnown, text: isThere ? read(state.today) : UNKNOWN, note: isKnown && told ? told(state.today, page) : "" };
}

KINDS.totals = {
  size(node, box, plan) {
    const found = bestGrid(box, node.children.length, totalShapes(), plan.gap, plan.unit);
    setVariable(node, "--totals-font", px(found.font));
    setVariable(node, "--label-lines", String(found.shape.lines));
    setVariable(node, "--totals-columns", String(found.columns));
    setData(node, "spare", found.columns * found.rows - node.children.length);
  },
  update(node, card, data, page) {
    const isWhole = !card.w;
    const doc = isWhole ? data.today : countedFor(card, data);
    updateTotals(
      node,
      Object.assign({}, data, {
        queues: queuesOf(card, data),
        namesQueues: isWhole ? data.namesQueues : Boolean(card.queues),
        levels: card.levels,
        events: data.callEvents,
        today: doc,
        todayFresh: isFresh(doc, page.now, data.isSilent),
      }),
      page,
    );
  },
};
