/* The board page: joins the live socket with the views, once a second and whenever something changes. */
import { LiveSocket } from "../live/socket.js";
import { aboutQueue, aboutTotal, showAbout } from "../views/about.js";
import { sortedCalls, updateCalls } from "../views/calls.js";
import { keepChildren, part, setHidden, setText } from "../views/dom.js";
import { fill } from "../views/format.js";
import { fit } from "../views/fit.js";
import { updateFoot, updateHead, updateSizes, updateTheme } from "../views/frame.js";
import { ofEvents, ofQueue, ofQueues } from "../views/freshness.js";
import { sortedPeople, updatePeople } from "../views/people.js";
import { makeQueueCard, updateQueueCard } from "../views/queue-card.js";
import { updateTotals } from "../views/totals.js";
import { keepAwake } from "../views/wake-lock.js";

const settings = JSON.parse(document.getElementById("page").textContent);
const root = document.getElementById("content");
const TOTALS = 5;
const TODAY_MS = 180000;
const ALIVE_MS = 60000;
const SMALL = { width: 1100, height: 560 };
const ASK_AGAIN = [4401, 4403, 4404, 4409]; // signed out, not allowed, no such board, another board: the page's address knows
const RELOADS_APART_MS = 8000;

const state = { board: settings.board, queues: [], people: [], calls: [], rows: 0, levels: new Map() };
let isPlanned = false;
let isLeaving = false;
let sizedFor = "";
let firstRelease = "";
const socket = new LiveSocket(settings.socket, { onNews: soon, onStatus: soon });

function soon() {
  if (isPlanned) return;
  isPlanned = true;
  window.requestAnimationFrame(() => {
    isPlanned = false;
    update();
  });
}

function update() {
  const page = { now: socket.serverNow(), zone: settings.zone, words: settings.words, isShort: true };
  read(page);
  show(page);
  say(page);
  leaveWhenClosed();
  renewWhenReleased();
}

/* Everything the views need, taken from the documents as they are now. */
function read(page) {
  const status = socket.status;
  const queues = socket.store.docs("queues");
  const own = socket.store.docs(settings.feeds.board);
  const poll = queues.get("poll");
  const heardAt = status.silentSince;
  state.board = newer(own.get("board"), state.board);
  state.poll = poll;
  state.fresh = ofQueues(poll, page.now, status.isSilent);
  state.events = ofEvents(socket.store.docs("people").get("events"), status.isSilent, heardAt);
  state.callEvents = ofEvents(socket.store.docs(settings.feeds.calls).get("events"), status.isSilent, heardAt);
  state.today = own.get("today");
  state.todayFresh = Boolean(state.today) && page.now - state.today.at < TODAY_MS && !status.isSilent;
  state.queues = shownNumbers(queues).map((number) => queueOf(number, queues, poll, page.now, status.isSilent));
  state.people = sortedPeople(socket.store.docs("people"));
  state.calls = sortedCalls(socket.store.docs(settings.feeds.calls));
}

function newer(one, other) {
  return one && one.version >= other.version ? one : other;
}

function queueOf(number, docs, poll, now, isSilent) {
  const figures = docs.get("queue:" + number);
  return {
    number,
    figures,
    about: docs.get("about:" + number),
    trend: docs.get("trend:" + number),
    fresh: ofQueue(figures, poll, now, isSilent),
    readAt: poll ? poll.read_at : 0,
  };
}

/* The board's own choice and order of queues, or all of them in the company's order. */
function shownNumbers(docs) {
  const chosen = state.board.layout.queues;
  if (chosen) return chosen.filter((number) => docs.has("about:" + number) || docs.has("queue:" + number));
  const all = Array.from(docs.values()).filter((doc) => doc && doc.targets);
  return all.sort((one, other) => one.order - other.order || compare(one.number, other.number)).map((about) => about.number);
}

function compare(one, other) {
  return one.localeCompare(other, undefined, { numeric: true });
}

function shows(section) {
  return state.board.layout.sections.indexOf(section) !== -1;
}

function show(page) {
  for (const name of ["totals", "queues", "people", "calls"]) setHidden(part(root, name), !shows(name));
  resize();
  updateHead(root, state.board, page);
  updateTheme(state.board.theme);
  if (shows("totals")) updateTotals(part(root, "totals"), Object.assign({}, state, { events: state.callEvents }), page);
  if (shows("queues")) updateQueues(page);
  if (shows("people")) updatePeople(part(root, "people"), state.people, state.events, page);
  if (shows("calls")) updateCalls(part(root, "calls"), state.calls, state.callEvents, state.rows, queueNames(), page);
  const status = socket.status;
  updateFoot(root, Object.assign({ isSilent: status.isSilent, isOpen: status.open }, state, { events: state.callEvents }), page);
}

function updateQueues(page) {
  const section = part(root, "queues");
  setHidden(part(section, "queues-empty"), state.queues.length > 0);
  const cards = keepChildren(part(section, "queues-grid"), state.queues.map((queue) => queue.number), makeQueueCard);
  cards.forEach((card, index) => updateQueueCard(card, state.queues[index], page));
}

function queueNames() {
  const names = new Map();
  socket.store.docs("queues").forEach((doc, key) => {
    if (doc && key.indexOf("about:") === 0) names.set(doc.number, doc.name || doc.number);
  });
  return names;
}

/* Sizes depend only on the screen and on how many cards there are, never on the figures in them. */
function resize() {
  const width = document.documentElement.clientWidth;
  const height = window.innerHeight - root.offsetTop;
  const counts = {
    totals: shows("totals") ? TOTALS : 0,
    queues: shows("queues") ? state.queues.length : null,
    people: shows("people") ? state.people.length : null,
  };
  const key = JSON.stringify([width, height, counts, shows("calls")]);
  if (key === sizedFor) return;
  sizedFor = key;
  const isSmall = !settings.isTv && (Math.min(width, height) < SMALL.height || (width < SMALL.width && height < 1400));
  const fitted = isSmall ? null : fit({ width, height }, counts, shows("calls"));
  document.documentElement.classList.toggle("is-fitted", !isSmall);
  updateSizes(root, fitted);
  state.rows = fitted ? (fitted.calls ? fitted.calls.rows : 0) : 12;
}

/* Screen readers hear when a queue's level changes. */
function say(page) {
  const changed = state.queues.filter((queue) => {
    const level = queue.fresh.isKnown ? queue.figures.level : "unknown";
    const before = state.levels.get(queue.number);
    state.levels.set(queue.number, level);
    return before && before !== level && page.words.levels[level];
  });
  if (!changed.length) return;
  const lines = changed.map((queue) =>
    fill(page.words.is_now, {
      name: queue.about ? queue.about.name || queue.number : queue.number,
      level: page.words.levels[queue.figures.level],
    })
  );
  setText(document.getElementById("said"), lines.join(". "));
}

/* Signed out, revoked, or moved to another board: the server's answer to the page's address says which. */
function leaveWhenClosed() {
  if (isLeaving || ASK_AGAIN.indexOf(socket.status.closedCode) === -1) return;
  isLeaving = true;
  const wait = performance.now() < RELOADS_APART_MS ? RELOADS_APART_MS : 1000;
  window.setTimeout(() => window.location.reload(), wait * (1 + Math.random()));
}

/* A TV says that it is there, and takes the pages of a new release by itself: nobody is near with a keyboard. */
function tellAlive() {
  fetch("/screen/alive/", { method: "POST", credentials: "same-origin" }).catch(() => {});
}

function renewWhenReleased() {
  const release = socket.status.release;
  firstRelease = firstRelease || release;
  if (isLeaving || !settings.isTv || !release || release === firstRelease) return;
  isLeaving = true;
  window.setTimeout(() => window.location.reload(), 5000 + Math.random() * 25000);
}

function explain(button) {
  const page = { now: socket.serverNow(), zone: settings.zone, words: settings.words };
  const card = button.parentElement;
  const kind = button.getAttribute("data-about");
  const box = document.getElementById("about");
  box.dataset.opener = card.getAttribute("data-key") || kind;
  if (kind !== "queue") {
    showAbout(box, part(card, "total-label").getAttribute("data-whole"), aboutTotal(kind, state, page));
    return;
  }
  const queue = state.queues.find((each) => each.number === card.getAttribute("data-key"));
  showAbout(box, part(card, "queue-card-name").textContent, aboutQueue(queue, page));
}

function closeAbout() {
  const box = document.getElementById("about");
  if (!box || box.hidden) return;
  setHidden(box, true);
  const opener = box.dataset.opener;
  const card = Array.from(root.querySelectorAll("[data-key], [data-total]")).find(
    (each) => each.getAttribute("data-key") === opener || each.getAttribute("data-total") === opener
  );
  if (card) part(card, "about").focus();
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

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-about]");
  if (button) explain(button);
  else if (event.target.id === "about-close") closeAbout();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") closeAbout();
});
window.addEventListener("resize", soon);
window.setInterval(soon, 1000);
fullScreen();
if (settings.isTv) {
  window.setInterval(tellAlive, ALIVE_MS);
  keepAwake((wake) => {
    setText(part(root, "foot-screen"), fill("{name} · {wake}", { name: settings.screen, wake: settings.words[wake] }));
  });
}
update();
