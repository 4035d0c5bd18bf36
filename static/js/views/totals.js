/* The row of large figures over all queues of the board. */
import { part, px, say, setAttribute, setText, setVariable } from "./dom.js";
import { bestGrid } from "./fit.js";
import { clock, duration, fill, UNKNOWN } from "./format.js";
import { KINDS } from "./kinds.js";
import { showLevel } from "./levels.js";
import { isFresh } from "./reading.js";
import { countedFor, levelBy, queuesOf } from "./scope.js";
import * as sums from "./sums.js";

const SHAPE = [{ width: 11, height: 5.6, worth: 1, most: 44 }];

/* state: {queues, poll, fresh, events, today, todayFresh}; page: {now, zone, words}. */
export function updateTotals(section, state, page) {
  const values = figuresOf(state, page);
  Array.from(section.children).forEach((card) => {
    const value = values[card.getAttribute("data-total")];
    const text = value.isKnown ? value.text : UNKNOWN;
    say(card, "total-figure", text);
    say(card, "total-note", value.note || "");
    const label = part(card, "total-label");
    setText(label, label.getAttribute(value.isKnown && value.note ? "data-short" : "data-whole"));
    setAttribute(card, "data-state", value.isKnown ? "known" : "unknown");
    setAttribute(card, "data-digits", Math.min(8, text.length));
    showLevel(card, value.level || "normal", page);
  });
}

export function figuresOf(state, page) {
  const known = state.queues.filter((queue) => queue.fresh.isKnown);
  const isKnown = state.fresh.isKnown && (known.length > 0 || state.queues.length === 0);
  const sum = sums.totals(known.map((queue) => queue.figures), state.poll ? state.poll.read_at : 0, page.now);
  const note = noteOf(state, known, page);
  return {
    waiting: { isKnown, note, text: String(sum.waiting), level: isKnown && levelBy(state.levels || {}, sum.waiting) },
    longest: { isKnown, note, text: duration(sum.longest) },
    average: { isKnown, note, text: duration(sum.average) },
    late: todayFigure(state, state.fresh.isKnown, (today) => String(Math.floor(today.late_seconds / 60))),
    unanswered: todayFigure(state, state.events.isKnown, (today) => String(today.unanswered)),
  };
}

function todayFigure(state, isTrusted, read) {
  const isKnown = Boolean(state.today) && state.todayFresh && isTrusted && read(state.today) !== "null";
  return { isKnown, text: isKnown ? read(state.today) : UNKNOWN };
}

function noteOf(state, known, page) {
  if (!state.fresh.isKnown && state.fresh.since) {
    return fill(page.words.no_data_since, { time: clock(state.fresh.since, page.zone, page.now) });
  }
  if (!state.fresh.isKnown || known.length === state.queues.length) return "";
  return fill(page.words.some_queues, { n: known.length, of: state.queues.length });
}

KINDS.totals = {
  size(node, box, plan) {
    const found = bestGrid(box, node.children.length, SHAPE, plan.gap, plan.unit);
    setVariable(node, "--totals-font", px(found.font));
    setVariable(node, "--totals-columns", String(found.columns));
    setAttribute(node, "data-spare", found.columns * found.rows - node.children.length);
  },
  update(node, card, data, page) {
    const isWhole = !card.w;
    const doc = isWhole ? data.today : countedFor(card, data);
    updateTotals(node, Object.assign({}, data, {
      queues: queuesOf(card, data),
      levels: card.levels,
      events: data.callEvents,
      today: doc,
      todayFresh: isFresh(doc, page.now, data.isSilent),
    }), page);
  },
};
