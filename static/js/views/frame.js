/* The board's frame: its name, notice and clock above, the age of what it shows below. */
import { part, setAttribute, setData, setHidden, setPartText, setText, setTextOrHide, setVariable } from "../lib/dom.js";
import { comma, fill, span, time } from "../lib/format.js";
import { missingText } from "./card-scope.js";

const DARK = ["dark", "calm-dark", "contrast"];
let shownTheme = "";

export function updateHead(root, board, page) {
  setPartText(root, "board-name", board.name);
  setPartText(root, "board-notice", board.notice);
  const minute = Math.floor(page.now / 60000) + page.zone;
  if (root.clockOf === minute) return; // all zones of now are whole minutes apart
  root.clockOf = minute;
  setPartText(root, "board-clock", time(page.now, page.zone));
}

/* Which colour sheets hold; templatetags/looks.py writes the same into the page. */
export function updateTheme(theme) {
  if (theme === shownTheme) return;
  shownTheme = theme;
  setAttribute(document.documentElement, "data-theme", theme);
  const isDark = DARK.includes(theme);
  const more = "(prefers-contrast: more)";
  const dark = isDark ? "screen" : theme === "system" ? "screen and (prefers-color-scheme: dark)" : "not all";
  const both = dark === "not all" || theme === "contrast" ? dark : dark + " and " + more;
  setAttribute(document.getElementById("dark"), "media", dark);
  setAttribute(document.getElementById("contrast"), "media", theme === "contrast" ? "all" : more);
  setAttribute(document.getElementById("contrast-dark"), "media", both);
}

/* state: {poll, fresh, callEvents, isSilent, isOpen}. */
export function updateFoot(root, state, page) {
  light(part(root, "foot-queues"), queueWords(state, page));
  light(part(root, "foot-calls"), callWords(state, page));
  light(part(root, "foot-link"), linkWords(state, page));
  setTextOrHide(part(root, "foot-gap"), gapWords(state, page));
}

function queueWords(state, page) {
  const texts = page.texts;
  if (!state.poll) return ["unknown", texts.foot_queues_never];
  const failure = state.isSilent ? "" : failureText(state.poll, page);
  if (!state.poll.read_at) return ["unknown", texts.foot_queues_never + failure];
  const ago = span((page.now - state.poll.read_at) / 1000, texts);
  if (state.fresh.isKnown) return ["good", fill(texts.foot_queues, { ago })];
  return ["bad", fill(texts.foot_queues_old, { ago }) + failure];
}

/* What is being waited for, and when the provider is asked again; "" where nothing is known to fail. */
function failureText(poll, page) {
  const failure = poll.failure && page.texts.failures[poll.failure];
  if (!failure) return "";
  const seconds = poll.next_try_at ? (poll.next_try_at - page.now) / 1000 : 0;
  const next = seconds > 0 ? fill(page.texts.foot_next_try, { wait: span(Math.ceil(seconds), page.texts) }) : page.texts.foot_trying;
  return comma() + failure + comma() + next;
}

function callWords(state, page) {
  const texts = page.texts;
  if (state.callEvents.isKnown) return ["good", texts.foot_calls];
  return ["bad", state.callEvents.state === "starting" ? texts.foot_calls_starting : texts.foot_calls_old];
}

function linkWords(state, page) {
  if (!state.isSilent) return ["", ""];
  return ["bad", state.isOpen ? page.texts.foot_silent : page.texts.foot_reconnecting];
}

/* The longest of what is missing from what this board counts. */
function gapWords(state, page) {
  let most = null;
  state.figures.forEach(({ missing }) => {
    if (missing && (!most || missing.seconds > most.seconds)) most = missing;
  });
  return most ? missingText(most, page) : "";
}

function light(node, pair) {
  setHidden(node, pair[1] === "");
  setData(node, "light", pair[0]);
  setText(node.lastElementChild, pair[1]);
}

/* The sizes of head and foot; a page that scrolls keeps those of the style sheet. */
export function updateFrame(root, size, fits) {
  const key = size.width + " " + size.height + " " + fits;
  if (root.framedFor === key) return;
  root.framedFor = key;
  setData(root, "flow", fits ? "fit" : "scroll");
  const isTall = size.height > size.width;
  const unit = isTall ? Math.min(size.width / 1080, size.height / 1858) : Math.min(size.width / 1920, size.height / 1018);
  setVariable(root, "--unit", fits ? Math.floor(unit * 1000) / 1000 + "px" : "");
  setVariable(root, "--gap", fits ? Math.max(4, Math.floor(160 * unit) / 10) + "px" : "");
  setVariable(document.documentElement, "--board-edge", fits ? Math.floor(36000 * unit) / 1000 + "px" : ""); // for what stands above and below
}
