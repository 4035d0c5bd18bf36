/* The live part of the calls page. */
import { LiveSocket } from "../live/socket.js";
import { updateCalls } from "../views/calls.js";
import { ofEvents } from "../views/freshness.js";
import { reloadWhenChanged } from "../views/changed-page.js";
import { showSentAway } from "../views/sent-away.js";
import { sortedCalls } from "../views/sorting.js";
import { oncePerFrame } from "../lib/once-per-frame.js";

const MOST = 200;
const settings = JSON.parse(document.getElementById("page").textContent);
const section = document.querySelector(".log-live");
const soon = oncePerFrame(update);
const socket = new LiveSocket(settings.socket, { onNews: soon, onStatus: soon });

function update() {
  showSentAway(socket.closedCode);
  reloadWhenChanged(socket);
  const page = { now: socket.serverNow(), zone: settings.zone, texts: settings.texts };
  const docs = socket.store.docs("calls");
  const names = new Map();
  socket.store.docs("queues").forEach((doc, key) => {
    if (doc && key.indexOf("about:") === 0) names.set(doc.number, doc.name || doc.number);
  });
  const fresh = ofEvents(docs.get("events"), socket.isSilentAbout("calls"), socket.status.silentSince);
  updateCalls(section, sortedCalls(docs), fresh, MOST, names, page);
}

window.setInterval(soon, 1000);
