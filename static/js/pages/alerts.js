/* The alerts page: those that are open, as they change. */
import { openAlerts } from "../alerts/list.js";
import { listenToBar } from "../alerts/acknowledge.js";
import { updateBar } from "../alerts/bar.js";
import { setHidden, setText } from "../lib/dom.js";
import { ofQueues } from "../views/freshness.js";
import { reloadOnceServed } from "../live/leaving.js";
import { LiveSocket } from "../live/socket.js";

const settings = JSON.parse(document.getElementById("page").textContent);
const texts = settings.texts;
const bar = document.getElementById("alert-bar");
const none = document.getElementById("none");
const rules = document.getElementById("rules");
const MANY = 40;
const RELOAD_MS = 1500; // the one that ended is among the past ones by then
let known = null;
let isEdited = false;

const socket = new LiveSocket("alerts=1", { onNews: later, onStatus: later });

function later() {
  window.queueMicrotask(update); // the socket speaks of itself before it is ours
}

function update() {
  const now = socket.serverNow();
  const fresh = ofQueues(socket.store.docs("queues").get("poll"), now, socket.isSilentAbout("queues") || socket.isSilentAbout("alerts"));
  const list = openAlerts(socket.store.docs("alerts"), null);
  const nameOf = (each) => (socket.store.docs("queues").get("about:" + each.queue) || each).name;
  updateBar(bar, list, texts, { now, zone: settings.zone, most: MANY, asOf: fresh.isKnown ? 0 : fresh.since, nameOf });
  const isKnown = socket.store.isKnown("alerts") && fresh.isKnown;
  setHidden(none, list.length > 0);
  setText(none, isKnown ? texts.nothing : texts.unknown);
  if (socket.store.isKnown("alerts")) showEnded(new Set(list.map((each) => each.id)));
}

/* An alert that ended belongs to the past ones, which the server writes; not while somebody changes the rules. */
function showEnded(ids) {
  const hasEnded = known && Array.from(known).some((id) => !ids.has(id));
  known = ids;
  if (hasEnded && !isEdited) window.setTimeout(() => isEdited || reloadOnceServed(0), RELOAD_MS);
}

listenToBar(bar, texts);
rules.addEventListener("input", () => {
  isEdited = true;
});
window.setInterval(update, 1000);
