/* The calls that are up now: those that ring, then those that talk. Callers in a queue are a number, and what nobody confirmed
for long stands last and takes one row. */
import { fromTemplate, hidePart, keepChildren, part, px, setData, setHidden, setPartText, setText, setVariable } from "../lib/dom.js";
import { GOOD, PANEL } from "./fit.js";
import { duration, fill, noteOf } from "../lib/format.js";
import { KINDS } from "./card-kinds.js";
import { partyName, partyNumber, partyText } from "./parties.js";
import { showLevel } from "./levels.js";
import { eventAgeText } from "./event-age.js";
import { widest } from "./ruler.js";
import { callsOn, countOf, levelBy, nameOf } from "./card-scope.js";
import { stateOf } from "./sorting.js";

const ARROWS = { in: "←", out: "→", internal: "↔" };
const ROWS = { good: 8, most: 14, letters: 20, least: 16, height: 1.5 };

/* most: how many rows there is room for; names: gets the name of a queue by its number. */
export function updateCalls(section, calls, fresh, most, names, page, title) {
  if (title) setPartText(section, "card-title", title);
  setData(section, "state", fresh.isKnown ? "known" : "unknown");
  const note = part(section, "calls-note");
  setHidden(note, fresh.isKnown);
  if (!fresh.isKnown) setText(note, noteOf(fresh, page));
  hidePart(section, "calls-empty", !fresh.isKnown || calls.length > 0);
  const waiting = calls.filter((call) => stateOf(call) === "waiting").length;
  const listed = fewUnconfirmed(calls.filter((call) => stateOf(call) !== "waiting"));
  const shown = fresh.isKnown ? listed.slice(0, calls.length - waiting > most && most > 1 ? most - 1 : most) : [];
  const rows = keepChildren(
    part(section, "calls-list"),
    shown.map((call) => String(call.id)),
    () => fromTemplate("call"),
  );
  rows.forEach((row, index) => updateCall(row, shown[index], names, page));
  const more = part(section, "calls-more");
  const rest = fresh.isKnown ? calls.length - waiting - shown.length : 0;
  setHidden(more, rest === 0 || most < 2);
  setText(more, fill(page.texts.more_calls, { n: rest }));
  const counts = [
    countOf(calls.filter((call) => stateOf(call) !== "waiting")) || "",
    waiting ? fill(page.texts.waiting_calls, { n: waiting }) : "",
  ];
  setPartText(section, "calls-count", fresh.isKnown ? counts.filter(Boolean).join(" · ") : "");
}

function fewUnconfirmed(calls) {
  const first = calls.findIndex((call) => stateOf(call) === "unconfirmed");
  return first === -1 ? calls : calls.slice(0, first + 1);
}

function updateCall(row, call, names, page) {
  const state = stateOf(call);
  setData(row, "state", state);
  setPartText(row, "call-word", page.texts.calls[state] || state);
  const sides = sidesOf(call, names, page);
  setPartText(row, "call-near", sides.near);
  setPartText(row, "call-arrow", sides.arrow);
  setPartText(row, "call-way", page.texts.ways[call.direction] || "");
  setPartText(row, "call-far", sides.far);
  setPartText(row, "call-number", sides.number);
  const news = eventAgeText(call, page);
  setData(row, "news", news ? "old" : "fresh");
  setPartText(row, "call-news", news);
  setPartText(row, "call-time", duration((page.now - call.since) / 1000));
}

/* Our own side first, so that names stand in one column; the arrow points the way the call was made. */
function sidesOf(call, names, page) {
  const arrow = ARROWS[call.direction] || "→";
  const queue = call.queue && (names.get(call.queue) || call.queue);
  if (call.direction === "in") {
    return { near: queue || partyText(call.to, page), arrow, far: partyName(call.from, page), number: partyNumber(call.from, page) };
  }
  const number = queue ? "" : partyNumber(call.to, page);
  return { near: partyText(call.from, page), arrow, far: queue || partyName(call.to, page), number };
}

const DOT = 1.3; // the mark of a call that rings, and the space behind its state
const SIDES = 15; // letters that both sides and the time have beside the word of a state, or it is but a mark
const SHOWN = ["ringing", "talking", "calling", "other"];

/* rows: below 0 where not even the title has room; whole: how much of the names of both sides has. */
export function callsOf(area, unit) {
  const room = area.height - (2 * PANEL.padding + PANEL.head) * GOOD * unit;
  const roomy = room / (ROWS.good * ROWS.height);
  const font = Math.min(Math.max(GOOD * unit, Math.min(roomy, 30 * unit)), area.width / ROWS.least);
  const rows = Math.min(ROWS.most, Math.floor(room / (ROWS.height * font)));
  return { font, rows, whole: Math.min(1, area.width / (ROWS.letters * font)) };
}

KINDS.calls = {
  rows: 12,
  size(node, box, plan, count, data, page) {
    const found = callsOf(box, plan.unit);
    const words = SHOWN.map((state) => page.texts.calls[state]);
    const state = DOT + widest(words, true);
    setVariable(node, "--call-state", state.toFixed(2) + "em");
    setData(node, "brief", box.width < (state + SIDES) * found.font);
    setVariable(node, "--calls-font", px(found.font));
    setVariable(node, "--head-font", px(GOOD * plan.unit));
    node.rows = Math.max(0, found.rows);
  },
  update(node, card, data, page) {
    const names = { get: (number) => data.byNumber.has(number) && nameOf(data.byNumber.get(number)) };
    const calls = callsOn(card, data.calls);
    updateCalls(node, calls, data.callEvents, node.rows, names, page, card.title);
    showLevel(node, data.callEvents.isKnown ? levelBy(card.levels || {}, countOf(calls)) : "unknown", page);
  },
};
