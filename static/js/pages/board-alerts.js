/* The alerts on a board: on top of it, and to be heard. */
import { numbersOf, openAlerts, unacknowledged } from "../alerts/list.js";
import { updateBar } from "../alerts/bar.js";
import { Sound } from "../alerts/sound.js";
import { part, setData, setHidden, setText } from "../lib/dom.js";
import { coming, fill } from "../lib/format.js";
import { stateOf } from "../views/state-line.js";
import { settings, shown, socket } from "./board.js";

const own = settings.alerts;
const WIDE = settings.isTv ? 25 : 36; // letters that one alert needs, with its button; as many stand beside each other
const line = document.getElementById("alert-line");
const bar = part(line, "alert-bar");
const muted = part(line, "alert-muted");
const button = document.getElementById("sound");
export const sound = new Sound(showSound);
/* What nobody has acknowledged, {open, page}, for scripts that stand beside this one. */
export const alerts = {};

function update() {
  const state = shown.state;
  const isOld = state.isSilent || !state.fresh.isKnown;
  const numbers = numbersOf(state.board.layout);
  const list = openAlerts(socket.store.docs("alerts"), numbers);
  setText(muted, mutes(numbers, shown.page));
  const open = isOld ? [] : unacknowledged(list);
  const page = {
    now: shown.page.now,
    zone: shown.page.zone,
    most: Math.max(1, Math.min(3, Math.floor((innerWidth - muted.offsetWidth) / parseFloat(getComputedStyle(line).fontSize) / WIDE))),
    asOf: isOld ? state.fresh.since : 0,
    nameOf,
  };
  updateBar(bar, list, own.texts, page);
  Object.assign(alerts, { open, page });
  if (settings.isTv) sound.update(open); // at a desk the badge sounds, in one tab of all
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

/* What no messages go out about, of these queues (null: of all); a mute ends by this page's own clock. */
function mutes(numbers, page) {
  const lines = [];
  socket.store.docs("queues").forEach((mute, key) => {
    const queue = key.slice(5); // "" stands for everything
    if (key.indexOf("mute:") || mute.until <= page.now || (queue && numbers && !numbers.has(queue))) return;
    const name = nameOf({ queue, name: own.texts.everything });
    lines.push(fill(own.texts.muted, { name, time: coming(mute.until, page.zone, page.now), reason: mute.reason }));
  });
  return lines.join(", ");
}

function nameOf(each) {
  return (socket.store.docs("queues").get("about:" + each.queue) || {}).name || each.name;
}

function showSound() {
  if (!button) return;
  const state = sound.state;
  setHidden(button, state === "absent" || (settings.isTv && state !== "blocked"));
  setData(button, "state", state);
  setText(button.lastElementChild, own.texts["sound_" + state + (state === "blocked" && !settings.isTv ? "_here" : "")] || "");
}

document.addEventListener("board-drawn", update);
if (settings.isTv) sound.want(own.sound);
if (shown.state) update();
