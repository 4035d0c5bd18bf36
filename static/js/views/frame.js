/* The board's frame: its name, notice and clock above, the age of what it shows below. */
import { mark, part, say, setAttribute, setHidden, setText, setVariable } from "./dom.js";
import { fill, span, wallClock } from "./format.js";

const DARK = ["dark", "calm-dark", "contrast"];

export function updateHead(root, board, page) {
  say(root, "board-name", board.name);
  say(root, "board-notice", board.notice);
  say(root, "board-clock", wallClock(page.now, page.zone));
}

/* Which colour sheets hold; templatetags/looks.py writes the same into the page. */
export function updateTheme(theme) {
  setAttribute(document.documentElement, "data-theme", theme);
  const isDark = DARK.includes(theme);
  const more = "(prefers-contrast: more)";
  const device = "(prefers-color-scheme: dark)";
  const dark = isDark ? "all" : theme === "system" ? device : "not all";
  const both = isDark ? more : theme === "system" ? more + " and " + device : "not all";
  setAttribute(document.getElementById("dark"), "media", dark);
  setAttribute(document.getElementById("contrast"), "media", theme === "contrast" ? "all" : more);
  setAttribute(document.getElementById("contrast-dark"), "media", theme === "contrast" ? "all" : both);
}

/* state: {poll, fresh, callEvents, isSilent, isOpen}. */
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
  if (state.callEvents.isKnown) return ["good", words.foot_calls];
  return ["bad", state.callEvents.state === "starting" ? words.foot_calls_starting : words.foot_calls_old];
}

function linkWords(state, page) {
  if (!state.isSilent) return ["", ""];
  return ["bad", state.isOpen ? page.words.foot_silent : page.words.foot_reconnecting];
}

function light(node, pair) {
  setHidden(node, pair[1] === "");
  mark(node, "light", pair[0]);
  setText(node.lastElementChild, pair[1]);
}

/* The sizes of head and foot; a page that scrolls keeps those of the style sheet. */
export function updateFrame(root, size, fits) {
  mark(root, "flow", fits ? "fit" : "scroll");
  const isTall = size.height > size.width;
  const unit = isTall ? Math.min(size.width / 1080, size.height / 1920) : Math.min(size.width / 1920, size.height / 1080);
  setVariable(root, "--unit", fits ? Math.floor(unit * 1000) / 1000 + "px" : "");
  setVariable(root, "--gap", fits ? Math.max(4, Math.floor(160 * unit) / 10) + "px" : "");
}
