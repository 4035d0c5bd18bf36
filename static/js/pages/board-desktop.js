/* What a board on a desk has beside what a TV shows: explanations of its figures, full screen, changes said aloud, notifications. */
import { listenToBar } from "../alerts/acknowledge.js";
import { Notifications } from "../alerts/notifications.js";
import { Badge } from "../alerts/badge.js";
import { knownOpen, titleOf } from "../alerts/list.js";
import { followSwitch, toggle } from "../alerts/sound-switch.js";
import { explainFigures } from "../views/explain.js";
import { setAttribute, setHidden, setText } from "../lib/dom.js";
import { fill } from "../lib/format.js";
import { Lag } from "../views/lag.js";
import "../views/stack.js";
import { titlePerson } from "../views/person-title.js";
import { nameOf } from "../views/card-scope.js";
import { settings, shown, socket, soon } from "./board.js";
import { alerts, sound } from "./board-alerts.js";

const root = document.getElementById("content");
const levels = new Map();
const lag = new Lag(socket);
const notifications = new Notifications(settings.alerts.texts);
const counter = document.getElementById("alert-badge"); // agents have none
const badge = counter && new Badge(counter, sound, true);
const consent = document.getElementById("notify");
const wanted = decodeURIComponent((/^#queue-(.+)$/.exec(window.location.hash) || ["", ""])[1]);
let isLookedFor = Boolean(wanted);

/* Screen readers hear when a queue's level changes. */
function say() {
  const texts = shown.page.texts;
  const lines = shown.state.queues
    .filter(hasNewLevel)
    .map((queue) => fill(texts.is_now, { name: nameOf(queue), level: texts.levels[queue.figures.level] }));
  if (lines.length) setText(document.getElementById("announcement"), lines.join(". "));
}

function hasNewLevel(queue) {
  const level = queue.fresh.isKnown ? queue.figures.level : "unknown";
  const before = levels.get(queue.number);
  levels.set(queue.number, level);
  return before && before !== level && shown.page.texts.levels[level];
}

/* A TV has no room for a word on each card: it says what is muted in the line above the board. */
function markMuted() {
  const docs = socket.store.docs("queues");
  root.querySelectorAll(".queue-card").forEach((card) => {
    const mute = docs.get("mute:" + card.getAttribute("data-key"));
    setHidden(card.querySelector(".queue-card-muted"), !mute || mute.until <= shown.page.now);
  });
}

/* Whoever came by the link of a message finds the queue at once. */
function showWanted() {
  const found =
    isLookedFor && Array.from(root.querySelectorAll(".queue-card, .table-row")).find((each) => each.getAttribute("data-key") === wanted);
  if (!found) return;
  isLookedFor = false;
  found.classList.add("is-wanted");
  found.scrollIntoView({ block: "center" });
}

function fullScreen() {
  const button = document.getElementById("full");
  if (!button || !document.documentElement.requestFullscreen) return;
  button.hidden = false;
  button.addEventListener("click", () => document.body.requestFullscreen());
  document.addEventListener("fullscreenchange", () => {
    document.body.classList.toggle("is-full", Boolean(document.fullscreenElement));
    soon();
  });
}

/* How late calls are here, beside the word that they are live. */
function sayLag() {
  const { page, state } = shown;
  const node = /** @type {HTMLElement} */ (root.querySelector(".foot-lag"));
  setHidden(node, !lag.texts || !state.callEvents.isKnown);
  setText(node, fill(page.texts.foot_lag, { seconds: lag.texts }));
}

/* Screen readers hear what is wrong, once. */
function sayAlerts() {
  const { open, page } = alerts;
  setText(
    document.getElementById("alert-announcement"),
    open.map((each) => titleOf(each, settings.alerts.texts, page.nameOf(each))).join(". "),
  );
}

function notify() {
  notifications.update(alerts.open, alerts.page);
  setHidden(consent, !notifications.mayAsk);
}

/* The badge counts all alerts that the person may see, whatever this board is about. */
function count() {
  const { list, isKnown } = knownOpen(socket.store.docs("alerts"), null, shown.state.fresh.isKnown, shown.state.poll, shown.page.now);
  if (badge) badge.update(list, isKnown && !shown.state.isSilent && socket.store.isKnown("alerts"));
  else sound.update(alerts.open);
}

sound.want(settings.alerts.sound);
followSwitch(sound);
document.getElementById("sound").addEventListener("click", () => toggle(sound));
consent.addEventListener("click", () => notifications.ask().then(notify));
if (settings.alerts.may) listenToBar(document.getElementById("alert-bar"), settings.alerts.texts);
document.addEventListener("board-drawn", sayAlerts);
document.addEventListener("board-drawn", notify);
document.addEventListener("board-drawn", count);
document.addEventListener("board-drawn", say);
document.addEventListener("board-drawn", sayLag);
document.addEventListener("board-drawn", showWanted);
document.addEventListener("board-drawn", markMuted);
document.addEventListener("board-drawn", () => setAttribute(document.getElementById("sound"), "aria-pressed", sound.state === "on"));
document.addEventListener("board-drawn", () => root.querySelectorAll(".person").forEach((cell) => titlePerson(cell, shown.page)));
explainFigures(shown);
fullScreen();
