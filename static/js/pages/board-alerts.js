/* The alerts on a board: on top of it, and to be heard. */
import { numbersOf, openAlerts, titleOf, unacknowledged } from "../alerts/list.js";
import { updateBar } from "../alerts/bar.js";
import { Sound } from "../alerts/sound.js";
import { part, setAttribute, setData, setHidden, setText } from "../lib/dom.js";
import { stateOf } from "../views/state-line.js";
import { settings, shown, socket } from "./board.js";

const own = settings.alerts;
const WIDE = settings.isTv ? 25 : 36; // letters that one alert needs, with its button; as many stand beside each other
const line = document.getElementById("alert-line");
const bar = document.getElementById("alert-bar");
const button = document.getElementById("sound");
export const sound = new Sound(showSound);
/* What nobody has acknowledged, {open, page}, for scripts that stand beside this one. */
export const alerts = {};
let heard = "";

function update() {
  const state = shown.state;
  const isOld = state.isSilent || !state.fresh.isKnown;
  const list = openAlerts(socket.store.docs("alerts"), numbersOf(state.board.layout));
  const open = isOld ? [] : unacknowledged(list);
  const page = {
    now: shown.page.now,
    zone: shown.page.zone,
    most: Math.max(1, Math.min(3, Math.floor(innerWidth / parseFloat(getComputedStyle(line).fontSize) / WIDE))),
    asOf: isOld ? state.fresh.since : 0,
    nameOf,
  };
  updateBar(bar, list, own.texts, page);
  Object.assign(alerts, { open, page });
  if (settings.isTv) sound.update(open); // at a desk the badge sounds, in one tab of all
  speak(open);
  showSound();
  updateLine(list.length > 0);
}

/* An outage comes before alerts: nobody knows whether they still are. */
function updateLine(hasAlerts) {
  const found = stateOf(shown.state, shown.page);
  const kind = hasAlerts && found.kind !== "outage" ? "alerts" : found.kind;
  setHidden(bar, kind !== "alerts");
  setData(line, "line", kind);
  setText(part(line, "alert-line-main"), found.text);
  setText(part(line, "alert-line-more"), found.more || "");
}

function nameOf(each) {
  const about = socket.store.docs("queues").get("about:" + each.queue);
  return (about && about.name) || each.name;
}

function speak(open) {
  const text = open.map((each) => titleOf(each, own.texts, nameOf(each))).join(". ");
  if (text === heard) return;
  heard = text;
  setText(document.getElementById("alert-announcement"), text);
}

function showSound() {
  if (!button) return;
  const state = sound.state;
  const texts = own.texts;
  setHidden(button, state === "absent" || (settings.isTv && state !== "blocked"));
  setData(button, "state", state);
  const blocked = settings.isTv ? texts.sound_blocked : texts.sound_blocked_here;
  setText(button.lastElementChild, { off: texts.sound_off, on: texts.sound_on, blocked, absent: "" }[state]);
  if (!settings.isTv) setAttribute(button, "aria-pressed", state === "on");
}

document.addEventListener("board-drawn", update);
if (settings.isTv) sound.want(own.sound);
if (shown.state) update();
