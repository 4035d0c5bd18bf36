/* The board's frame: its name, notice and clock above, the age of what it shows below, and its sizes. */
import { part, setAttribute, setHidden, setText, setVariable } from "./dom.js";
import { fill, span, wallClock } from "./format.js";

const ROOMY = 8.5; // a cell this many letters wide has room for who somebody talks with

const HIGH = 11.9; // a queue card this many lines high has room for its trend across the whole width
const GOOD = 24;
const HEAD_LETTERS = 18.5; // what the counts of the people need
const TITLED_LETTERS = 23.5; // with their heading before them

export function updateHead(root, board, page) {
  setText(part(root, "board-name"), board.name);
  setText(part(root, "board-notice"), board.notice);
  setText(part(root, "board-clock"), wallClock(page.now, page.zone));
}

export function updateTheme(theme) {
  setAttribute(document.documentElement, "data-theme", theme);
  const media = { dark: "all", light: "not all", system: "(prefers-color-scheme: dark)" };
  setAttribute(document.getElementById("dark"), "media", media[theme]);
}

/* state: {poll, fresh, events, isSilent, heardAgoMs, isOpen}. */
export function updateFoot(root, state, page) {
  light(part(root, "foot-queues"), queueWords(state, page));
  light(part(root, "foot-calls"), callWords(state, page));
  light(part(root, "foot-link"), linkWords(state, page));
}

function queueWords(state, page) {
  const words = page.words;
  if (!state.poll || !state.poll.read_at) return ["unknown", words.foot_queues_never];
  const ago = span((page.now - state.poll.read_at) / 1000, words);
  if (state.fresh.isKnown) return ["good", fill(words.foot_queues, { ago })];
  const failure = state.poll.failure && words.failures[state.poll.failure];
  return ["bad", fill(words.foot_queues_old, { ago }) + (failure && !state.isSilent ? ", " + failure : "")];
}

function callWords(state, page) {
  const words = page.words;
  if (state.events.isKnown) return ["good", words.foot_calls];
  return ["bad", state.events.state === "starting" ? words.foot_calls_starting : words.foot_calls_old];
}

function linkWords(state, page) {
  if (!state.isSilent) return ["", ""];
  return ["bad", state.isOpen ? page.words.foot_silent : page.words.foot_reconnecting];
}

function light(node, pair) {
  setHidden(node, pair[1] === "");
  setAttribute(node, "data-light", pair[0]);
  setText(node.lastElementChild, pair[1]);
}

/* Hand the sizes that `fit` found to the style sheets; null takes them away (a small screen scrolls instead). */
export function updateSizes(root, fitted) {
  setAttribute(root, "data-flow", fitted ? "fit" : "scroll");
  if (!fitted) return;
  const px = (value) => Math.floor(value * 10) / 10 + "px";
  setAttribute(root, "data-shape", fitted.isTall ? "tall" : "wide");
  setVariable(root, "--unit", px(fitted.unit));
  setVariable(root, "--gap", px(fitted.gap));
  if (fitted.totals) {
    setVariable(root, "--totals-columns", String(fitted.totals.columns));
    setVariable(root, "--totals-font", px(fitted.totals.font));
    setVariable(root, "--totals-height", px(fitted.totals.height));
  }
  for (const name of ["queues", "people", "calls"]) {
    const area = fitted.areas[name];
    setVariable(root, "--" + name + "-height", px(area.height));
    if (!fitted[name]) continue;
    setVariable(root, "--" + name + "-font", px(fitted[name].font));
    setVariable(root, "--" + name + "-columns", String(fitted[name].columns || 1));
    setVariable(root, "--" + name + "-rows", String(fitted[name].rows || 1));
    setVariable(root, "--" + name + "-gap", px(fitted[name].gap || 0));
    setAttribute(part(root, name), "data-variant", fitted[name].variant || "list");
    setAttribute(part(root, name), "data-high", fitted[name].highness > HIGH);
    setAttribute(part(root, name), "data-room", fitted[name].roominess > ROOMY ? "wide" : "narrow");
  }
  const side = fitted.areas.side.width;
  setVariable(root, "--head-font", px(Math.min(GOOD * fitted.unit, side / HEAD_LETTERS)));
  setAttribute(part(root, "people"), "data-head", side < GOOD * fitted.unit * TITLED_LETTERS ? "counts" : "titled");
  setVariable(root, "--side-width", px(fitted.areas.side.width));
  setVariable(root, "--queues-width", px(fitted.areas.queues.width));
}
