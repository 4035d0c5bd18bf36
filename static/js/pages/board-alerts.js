/* The alerts on a board: on top of it, and to be heard. */
import { updateLine } from "../alerts/line.js";
import { Sound } from "../alerts/sound.js";
import { setData, setHidden, setText } from "../lib/dom.js";
import { settings, shown, socket } from "./board.js";

const own = settings.alerts;
const line = document.getElementById("alert-line");
const button = document.getElementById("sound");
export const sound = new Sound(showSound);
/* What nobody has acknowledged, {open, page}, for scripts that stand beside this one. */
export const alerts = {};

function update() {
  Object.assign(alerts, updateLine(line, socket.store, shown, own.texts, settings.isTv ? 25 : 36));
  if (settings.isTv) sound.update(alerts.open); // at a desk the badge sounds, in one tab of all
  showSound();
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
