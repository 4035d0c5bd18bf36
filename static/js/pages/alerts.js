/* The alerts page: those that are open, as they change. */
import { Badge } from "../alerts/badge.js";
import { knownOpen, openAlerts } from "../alerts/list.js";
import { Sound } from "../alerts/sound.js";
import { followSwitch, toggle } from "../alerts/sound-switch.js";
import { listenToBar } from "../alerts/acknowledge.js";
import { updateBar } from "../alerts/bar.js";
import { setAttribute, setHidden, setText } from "../lib/dom.js";
import { ofQueues } from "../views/freshness.js";
import { reloadOnceServed } from "../live/leaving.js";
import { LiveSocket } from "../live/socket.js";
import { reloadWhenChanged } from "../views/changed-page.js";
import { showSentAway } from "../views/sent-away.js";

const settings = JSON.parse(document.getElementById("page").textContent);
const texts = settings.texts;
const bar = document.getElementById("alert-bar");
const none = document.getElementById("none");
const forms = Array.from(document.querySelectorAll("#rules, #kinds, .notice-add")); // not everybody has all of them
const MANY = 40;
const RELOAD_MS = 1500; // the one that ended is among the past ones by then
const button = document.getElementById("sound");
const sound = new Sound(showSound);
const badge = new Badge(document.getElementById("alert-badge"), sound, false);
let known = null;
let isEdited = false;

const socket = new LiveSocket("alerts=1", { onNews: later, onStatus: later });

function later() {
  window.queueMicrotask(update); // the socket speaks of itself before it is ours
}

function update() {
  const now = socket.serverNow();
  const isSilent = socket.isSilentAbout("queues") || socket.isSilentAbout("alerts");
  const poll = socket.store.docs("queues").get("poll");
  const fresh = ofQueues(poll, now, isSilent);
  const list = openAlerts(socket.store.docs("alerts"), null);
  const nameOf = (each) => (socket.store.docs("queues").get("about:" + each.queue) || each).name;
  updateBar(bar, list, texts, { now, zone: settings.zone, most: MANY, asOf: fresh.isKnown ? 0 : fresh.since, nameOf });
  const found = knownOpen(socket.store.docs("alerts"), null, fresh.isKnown, poll, now);
  const isKnown = socket.store.isKnown("alerts") && !isSilent && found.isKnown;
  showSentAway(socket.closedCode);
  reloadWhenChanged(socket, () => isEdited);
  setHidden(none, list.length > 0);
  setText(none, isKnown ? texts.nothing : texts.unknown);
  badge.update(found.list, isKnown);
  if (socket.store.isKnown("alerts")) showEnded(new Set(list.map((each) => each.id)));
}

/* An alert that ended belongs to the past ones, which the server writes; not while somebody fills in a form. */
function showEnded(ids) {
  const hasEnded = known && Array.from(known).some((id) => !ids.has(id));
  known = ids;
  if (hasEnded && !isEdited) window.setTimeout(() => isEdited || reloadOnceServed(0), RELOAD_MS);
}

function showSound() {
  const state = sound.state;
  setHidden(button, state === "absent");
  setText(button, { off: texts.sound_off, on: texts.sound_on, blocked: texts.sound_blocked_here, absent: "" }[state]);
  setAttribute(button, "aria-pressed", state === "on");
}

sound.want(settings.sound);
followSwitch(sound);
button.addEventListener("click", () => toggle(sound));
listenToBar(bar, texts);
forms.forEach((form) =>
  form.addEventListener("input", () => {
    isEdited = true;
  }),
);
window.setInterval(update, 1000);
