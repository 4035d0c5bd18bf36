/* The board page: joins the live socket with the views, once a second and whenever something changes. */
import { reloadOnceServed, reloadSoon } from "../live/leaving.js";
import { LiveSocket, SENT_AWAY } from "../live/socket.js";
import { part } from "../lib/dom.js";
import { updateFoot, updateFrame, updateHead, updateTheme } from "../views/frame.js";
import { makeGrid } from "../views/grid.js";
import "../views/cards.js";
import { readState } from "../views/board-state.js";
import { oncePerFrame } from "../lib/once-per-frame.js";

export const settings = JSON.parse(document.getElementById("page").textContent);
const root = document.getElementById("content");
const SMALL = { width: 1100, height: 560, tall: 1400 };

/* What the page shows now: {state, page}, for scripts that stand beside this one; they listen for "board-drawn" on document. */
export const shown = {};
let board = settings.board;
let isLeaving = false;
let fits = true;
let firstRelease = "";
let size = null; // of what the window has for the board; asked for rarely, since while colours fade each answer costs a look at every style
let room = null; // of the cards within it
const body = part(root, "board-body");
const grid = makeGrid(body, { texts: settings.texts, zone: settings.zone, images: settings.images });
export const soon = oncePerFrame(update);
export const socket = new LiveSocket(settings.socket, { onNews: soon, onStatus: soon }, settings.protocols);

function update() {
  size = size || { width: document.documentElement.clientWidth, height: innerHeight - root.offsetTop };
  const page = {
    now: socket.serverNow(),
    zone: settings.zone,
    texts: settings.texts,
    isShort: true,
    isSmall: isSmall(size),
    isLimited: settings.isLimited,
  };
  const state = readState(socket, settings, board.layout, page);
  if (state.board !== board) {
    board = state.board;
    room = null; // its head may be higher
    Object.assign(state, readState(socket, settings, board.layout, page));
  }
  page.zone = board.zone || settings.zone;
  show(state, page);
  Object.assign(shown, { state, page });
  document.dispatchEvent(new CustomEvent("board-drawn"));
  leaveWhenClosed();
  renewWhenReleased();
}

function isSmall(size) {
  if (settings.isTv) return false;
  return Math.min(size.width, size.height) < SMALL.height || (size.width < SMALL.width && size.height < SMALL.tall);
}

function show(state, page) {
  const didFit = fits && !page.isSmall;
  updateTheme(board.theme);
  updateHead(root, board, page);
  updateFrame(root, size, didFit);
  room = page.room = room || { width: body.clientWidth, height: body.clientHeight };
  fits = grid.update(board.layout, state, page);
  updateFrame(root, size, fits);
  if (fits !== didFit) room = null;
  document.documentElement.classList.toggle("is-fitted", fits);
  updateFoot(root, state, page);
}

/* Signed out, revoked, or moved to another board: the server's answer to the page's address says which. */
function leaveWhenClosed() {
  if (!socket.hasChanged && !SENT_AWAY.includes(socket.closedCode)) return;
  isLeaving = true;
  reloadSoon();
}

/* A TV or a frame takes the pages of a new release by itself: nobody is near with a keyboard. */
function renewWhenReleased() {
  const release = socket.release;
  firstRelease = firstRelease || release;
  if (isLeaving || !(settings.isTv || settings.isEmbed) || !release || release === firstRelease) return;
  isLeaving = true;
  reloadOnceServed(5000 + Math.random() * 25000);
}

/* Sizes are asked for anew with the next drawing: once a second, and at once where something above the board grew or went. */
function measure() {
  size = room = null;
  soon();
}

addEventListener("resize", measure);
if (window.ResizeObserver) {
  const above = new ResizeObserver(measure);
  Array.from(root.parentElement.children).forEach((node) => node !== root && above.observe(node));
}
setInterval(measure, 1000);
update();
