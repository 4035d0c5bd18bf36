/* The boards of the company, each drawn small and live: one feed for all of them. */
import { LiveSocket } from "../live/socket.js";
import { setAttribute, setData, setText } from "../lib/dom.js";
import { fill } from "../lib/format.js";
import { readState } from "../views/board-state.js";
import { nameOf, noData } from "../views/card-scope.js";
import { reloadWhenChanged } from "../views/changed-page.js";
import { showSentAway } from "../views/sent-away.js";
import { drawing, updateThumbnail, worstLevel } from "../views/thumbnail.js";
import { oncePerFrame } from "../lib/once-per-frame.js";

const MOST_NAMES = 3;
const MARKS = { normal: "state-good", watch: "state-watch", late: "state-late" };
const settings = JSON.parse(document.getElementById("page").textContent);
const boards = settings.boards.map((board) => ({ ...board, item: document.getElementById("board-" + board.id) }));
const soon = oncePerFrame(update);
const socket = new LiveSocket(settings.socket, { onNews: soon, onStatus: soon });

function update() {
  showSentAway(socket.closedCode);
  reloadWhenChanged(socket);
  const page = { now: socket.serverNow(), zone: settings.zone, texts: settings.texts };
  const state = readState(socket, { feeds: { board: "", calls: "" }, board: null }, { queues: null }, page);
  for (const board of boards) {
    const { shapes, levels } = drawing(board.layout, state, page);
    updateThumbnail(board.item.querySelector("svg"), shapes);
    say(board.item, levels, state, page);
  }
}

/* How the board stands in a word, and which queues it is about. */
function say(item, levels, state, page) {
  const level = !state.fresh.isKnown ? "unknown" : levels.size ? worstLevel(Array.from(levels.values())) : "none";
  const isNamed = state.fresh.isKnown && ["late", "watch", "unknown"].includes(level);
  const concerned = isNamed ? state.queues.filter((queue) => levels.get(queue.number) === level) : [];
  setData(item, "level", level);
  setAttribute(item.querySelector(".board-level"), "class", "board-level state " + (MARKS[level] || ""));
  setText(item.querySelector(".board-word"), level === "unknown" ? noData(knownUntil(concerned, state), page) : page.texts.levels[level]);
  setText(item.querySelector(".board-queues"), concerned.slice(0, MOST_NAMES).map(nameOf).join(", "));
  const more = concerned.length - MOST_NAMES;
  setText(item.querySelector(".board-more"), more > 0 ? fill(page.texts.more, { n: more }) : "");
}

/* Until when there was news of all queues: of one that the provider leaves out until then, while the others go on. */
function knownUntil(missing, state) {
  if (!state.fresh.isKnown) return state.fresh.since;
  const times = missing.map((queue) => queue.figures?.missing_since).filter(Boolean);
  return times.length ? Math.min(...times) : null;
}

window.setInterval(soon, 1000);
