/* What a board on a desk has beside what a TV shows: explanations of its figures, full screen, changes said aloud. */
import { aboutCard, aboutQueue, showAbout } from "../views/about.js";
import { setHidden, setText } from "../views/dom.js";
import { fill } from "../views/format.js";
import { Lag } from "../views/lag.js";
import { titlePerson } from "../views/person-title.js";
import { nameOf } from "../views/scope.js";
import { shown, socket, soon } from "./board.js";

const root = document.getElementById("content");
const box = document.getElementById("about");
const levels = new Map();
const lag = new Lag(socket);
let opener = null;

/* Screen readers hear when a queue's level changes. */
function say() {
  const words = shown.page.words;
  const lines = shown.state.queues.filter(hasNewLevel).map((queue) =>
    fill(words.is_now, { name: nameOf(queue), level: words.levels[queue.figures.level] })
  );
  if (lines.length) setText(document.getElementById("said"), lines.join(". "));
}

function hasNewLevel(queue) {
  const level = queue.fresh.isKnown ? queue.figures.level : "unknown";
  const before = levels.get(queue.number);
  levels.set(queue.number, level);
  return before && before !== level && shown.page.words.levels[level];
}

function explain(button) {
  const card = button.closest("[data-kind]");
  opener = button;
  if (button.getAttribute("data-about") !== "queue") {
    const label = button.parentElement.querySelector("[data-whole], .card-title");
    showAbout(box, label.getAttribute("data-whole") || label.textContent, aboutCard(card.card, button.getAttribute("data-about"), shown.state, shown.page));
    return;
  }
  const queue = shown.state.byNumber.get(button.closest("[data-key]").getAttribute("data-key"));
  showAbout(box, nameOf(queue), aboutQueue(queue, shown.page));
}

function closeAbout() {
  if (box.hidden) return;
  setHidden(box, true);
  if (opener && root.contains(opener)) opener.focus();
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
  const node = root.querySelector(".foot-lag");
  setHidden(node, !lag.words || !state.callEvents.isKnown);
  setText(node, fill(page.words.foot_lag, { seconds: lag.words }));
}

document.addEventListener("board-drawn", say);
document.addEventListener("board-drawn", sayLag);
document.addEventListener("board-drawn", () => root.querySelectorAll(".person").forEach((cell) => titlePerson(cell, shown.page)));
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-about]");
  if (button) explain(button);
  else if (event.target.id === "about-close") closeAbout();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") closeAbout();
});
fullScreen();
