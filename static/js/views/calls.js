/* The calls that are up now. A call that rings stands above one that talks; what does not fit is counted. */
import { fromTemplate, hide, keepChildren, mark, part, px, say, setHidden, setText, setVariable } from "./dom.js";
import { GOOD, PANEL } from "./fit.js";
import { duration, fill, noteOf } from "./format.js";
import { KINDS } from "./kinds.js";
import { partyName } from "./parties.js";
import { showLevel } from "./levels.js";
import { callsOn, levelBy } from "./scope.js";
import { stateOf } from "./sorting.js";

const ARROWS = { in: "←", out: "→", internal: "↔" };
const ROWS = { good: 8, most: 14, letters: 20, height: 1.5 };

/* most: how many rows there is room for; names: queue number -> name. */
export function updateCalls(section, calls, fresh, most, names, page, title) {
  if (title) say(section, "card-title", title);
  mark(section, "state", fresh.isKnown ? "known" : "unknown");
  const note = part(section, "calls-note");
  setHidden(note, fresh.isKnown);
  if (!fresh.isKnown) setText(note, noteOf(fresh, page));
  hide(section, "calls-empty", !fresh.isKnown || calls.length > 0);
  const shown = fresh.isKnown ? calls.slice(0, calls.length > most ? Math.max(1, most - 1) : most) : [];
  const rows = keepChildren(part(section, "calls-list"), shown.map((call) => String(call.id)), () => fromTemplate("call"));
  rows.forEach((row, index) => updateCall(row, shown[index], names, page));
  const more = part(section, "calls-more");
  const rest = fresh.isKnown ? calls.length - shown.length : 0;
  setHidden(more, rest === 0);
  setText(more, fill(page.words.more_calls, { n: rest }));
  say(section, "calls-count", fresh.isKnown && calls.length ? String(calls.length) : "");
}

export function updateCall(row, call, names, page) {
  const state = stateOf(call);
  mark(row, "state", state);
  say(row, "call-state", page.words.calls[state] || state);
  const sides = sidesOf(call, names, page);
  say(row, "call-near", sides.near);
  say(row, "call-arrow", sides.arrow);
  say(row, "call-way", page.words.ways[call.direction] || "");
  say(row, "call-far", sides.far);
  say(row, "call-time", duration((page.now - call.since) / 1000));
}

/* Our own side first, so that names stand in one column; the arrow points the way the call was made. */
export function sidesOf(call, names, page) {
  const from = partyName(call.from, page);
  const to = call.queue ? names.get(call.queue) || call.queue : partyName(call.to, page);
  const isIn = call.direction === "in";
  return { near: isIn ? to : from, arrow: ARROWS[call.direction] || "→", far: isIn ? from : to };
}

export function callsOf(area, unit) {
  const room = area.height - (2 * PANEL.padding + PANEL.head) * GOOD * unit;
  const roomy = room / (ROWS.good * ROWS.height);
  const font = Math.min(Math.max(GOOD * unit, Math.min(roomy, 30 * unit)), area.width / ROWS.letters);
  return { font, rows: Math.max(0, Math.min(ROWS.most, Math.floor(room / (ROWS.height * font)))) };
}

KINDS.calls = {
  rows: 12,
  size(node, box, plan) {
    const found = callsOf(box, plan.unit);
    setVariable(node, "--calls-font", px(found.font));
    setVariable(node, "--head-font", px(GOOD * plan.unit));
    node.rows = found.rows;
  },
  update(node, card, data, page) {
    const names = new Map();
    data.byNumber.forEach((queue, number) => names.set(number, queue.about ? queue.about.name : number));
    const calls = callsOn(card, data.calls);
    updateCalls(node, calls, data.callEvents, node.rows, names, page, card.title);
    showLevel(node, data.callEvents.isKnown ? levelBy(card.levels || {}, calls.length) : "unknown", page);
  },
};
