/* A board as it was: the documents of a moment, drawn by what draws the live board, and the day's timeline to choose the moment by. */
import "../views/stack.js";
import { updateLine } from "../alerts/line.js";
import { numbersOf } from "../alerts/list.js";
import { part, setData, setHidden, setText } from "../lib/dom.js";
import { clock, fill } from "../lib/format.js";
import { oncePerFrame } from "../lib/once-per-frame.js";
import { getJson } from "../lib/requests.js";
import { momentName } from "../replay/moment.js";
import { Player } from "../replay/player.js";
import { Share } from "../replay/share.js";
import { ReplaySource } from "../replay/source.js";
import { Stills } from "../replay/stills.js";
import { Stretches } from "../replay/stretches.js";
import { dayOf, gapAt, isAtEnd, nextMark, within, written } from "../replay/timeline.js";
import { Track } from "../replay/track.js";
import { readState } from "../views/board-state.js";
import { isMissing, purpose } from "../views/card-scope.js";
import "../views/cards.js";
import { explainFigures } from "../views/explain.js";
import { updateFoot, updateFrame, updateHead, updateTheme } from "../views/frame.js";
import { makeGrid } from "../views/grid.js";
import { titlePerson } from "../views/person-title.js";

const settings = JSON.parse(document.getElementById("page").textContent);
const own = settings.replay;
const SMALL = { width: 1000, height: 380 };
const LETTERS = 36; // as on a desk
const ADDRESS_MS = 300; // browsers refuse pages that change their address all the time
const PATIENCE_MS = 400; // that a moment may take without a word about it
const SIGNED_OUT = [401, 403, 404];
const zone = settings.board.zone || settings.zone;
const root = document.getElementById("content");
const line = document.getElementById("alert-line");
const mark = document.getElementById("replay-mark");
const panel = document.getElementById("replay-panel");
const dayInput = /** @type {HTMLInputElement} */ (document.getElementById("day"));
const jumps = [document.getElementById("earlier"), document.getElementById("later")];
const again = document.getElementById("again");
const shown = {};
const soon = oncePerFrame(update);
const source = new ReplaySource();
const grid = makeGrid(part(root, "board-body"), { texts: settings.texts, zone: settings.zone, images: settings.images });
const track = new Track(panel, goTo);
const player = new Player(panel, own.texts, play);
// What is published now has no say in what the board was: any recorded one is newer.
const recorded = Object.assign({}, settings, { board: Object.assign({}, settings.board, { version: -1 }) });
let at = own.at || 0;
let exact = at; // playing goes on in parts of a second
let day = null;
let dayStatus = 200;
let stretches = null;
let stills = null;
let passing = null; // a moment that came while somebody drags, and is drawn although the hand is further by now
let drawnAt = 0; // the moment that the board shows, 0 for none of this day
let waitingSince = 0;
let patience = 0;
let writing = 0;
let fits = true;
let board = own.draft || settings.board;
let opening = { name: own.day, momentIn: (told) => (own.at === null ? firstOf(told) : own.at) };

/* A chosen day, at the time of day that was shown. */
function choose(name) {
  const passed = day ? at - day.midnight : 0;
  open({ name, momentIn: day ? (told) => told.begins + passed : opening.momentIn });
}

/* The day of that date; "" is the one that the moment lies in. */
async function open(wanted) {
  if (stretches) [stretches, stills].forEach((each) => each.close());
  opening = wanted;
  day = stretches = stills = passing = null;
  drawnAt = 0;
  dayStatus = 200;
  setText(part(mark, "replay-note"), own.texts.loading);
  setData(document.body, "replay", "loading");
  const answer = await getJson(own.days + "?day=" + wanted.name);
  if (opening !== wanted) return; // another day was chosen meanwhile
  dayStatus = answer.ok && answer.body ? 200 : answer.status === 200 ? 500 : answer.status;
  if (dayStatus === 200) {
    const moment = wanted.momentIn(answer.body);
    day = Object.assign(dayOf(answer.body, moment), { midnight: answer.body.begins });
    const numbers = numbersOf(board.layout);
    day.alerts = day.alerts.filter((each) => !numbers || numbers.has(each.queue));
    stretches = new Stretches(own.stretches, day, soon);
    stills = new Stills(own.stretches, pass);
    at = exact = within(day, moment);
    showDay(answer.body);
  }
  soon();
}

/* Without a moment: what somebody comes for on a chosen day is its first alert, and else how the board was just now. */
function firstOf(told) {
  const alert = own.day && told.marks.alerts[0];
  if (alert) return dayOf(told, alert.from).alerts[0].at;
  return (own.day ? told.first : told.last) || told.begins;
}

function showDay(told) {
  dayInput.value = day.name;
  dayInput.min = told.days.reduce((first, each) => (each < first ? each : first), day.name);
  dayInput.max = told.days.reduce((last, each) => (each > last ? each : last), day.name);
  track.show(day, zone);
}

function goTo(ms) {
  at = exact = ms;
  soon();
}

/* Answers whether there is more to play. What is still on its way is waited for. */
function play(ms) {
  if (!day || (!gapAt(day.gaps, at) && !stretches.of(at))) return !stretches || !stretches.isFailing;
  exact = Math.min(exact + ms, day.end);
  const next = within(day, exact);
  if (next !== at) {
    at = next;
    soon();
  }
  return !isAtEnd(day, at);
}

function pass(still) {
  passing = still;
  soon();
}

function jump(ahead) {
  const found = day && nextMark(day.alerts, at, ahead);
  if (found) goTo(within(day, found.at));
}

function update() {
  const gap = day && gapAt(day.gaps, at);
  const found = day && !gap && (stretches.want(at) || stills.want(at));
  if (found) show(found, at);
  else if (passing && !gap) show(passing, passing.from);
  else waitingSince = gap ? 0 : waitingSince || performance.now();
  passing = null;
  const state = gap ? "gap" : found ? "shown" : status() === 200 ? waitingState() : "failed";
  const note = noteOf(state, gap, status());
  setData(document.body, "replay", state);
  setHidden(again, state !== "failed");
  setText(part(mark, "replay-moment"), day || own.at ? momentName(state === "moving" ? drawnAt : at, zone) : "");
  setText(part(mark, "replay-note"), note);
  jumps.forEach((button, index) => setEnabled(button, day && nextMark(day.alerts, at, index ? 1 : -1)));
  if (day) track.moveTo(at, momentName(at, zone) + (note ? ". " + note : ""));
  clearTimeout(writing);
  if (day) writing = setTimeout(writeAddress, ADDRESS_MS);
}

function show(chunk, moment) {
  source.moveTo(chunk, moment);
  drawnAt = moment;
  waitingSince = 0;
  draw(moment);
}

/* Of the last answer, 0 without connection. */
function status() {
  return stretches && dayStatus === 200 ? stretches.status : dayStatus;
}

/* What comes soon is waited for without a word: the board shows the moment before, and the mark above it says so. */
function waitingState() {
  clearTimeout(patience);
  if (!drawnAt || (waitingSince && performance.now() - waitingSince >= PATIENCE_MS)) return "loading";
  patience = setTimeout(soon, PATIENCE_MS);
  return "moving";
}

/* A button that somebody has just used stays where it is: one that is disabled would lose the focus. */
function setEnabled(button, isEnabled) {
  button.setAttribute("aria-disabled", String(!isEnabled));
}

function noteOf(state, gap, status) {
  if (gap && gap.begin <= day.begin && gap.end >= day.end) return own.texts.gap_day;
  if (gap) return fill(own.texts.gap, { since: clock(gap.begin, zone), until: clock(gap.end, zone) });
  if (state === "failed" && SIGNED_OUT.includes(status)) return own.texts.signed_out;
  return own.texts[state] || (own.draft ? own.texts.draft : "");
}

function draw(now) {
  const size = { width: document.documentElement.clientWidth, height: innerHeight - root.offsetTop - panel.offsetHeight };
  const isSmall = size.width < SMALL.width || size.height < SMALL.height;
  const page = { now, zone, texts: settings.texts, isShort: true, isSmall, isLimited: settings.isLimited };
  const state = stateOf(page);
  Object.assign(shown, { state, page });
  updateTheme(settings.board.theme);
  updateHead(root, board, page);
  const didFit = fits && !isSmall;
  updateFrame(root, size, didFit);
  fits = grid.update(board.layout, state, page);
  updateFrame(root, size, fits);
  if (fits && !didFit) soon(); // it was laid out in a room that the cards themselves had made
  document.documentElement.classList.toggle("is-fitted", fits);
  updateFoot(root, state, page);
  updateLine(line, source.store, shown, settings.alerts.texts, LETTERS);
  root.querySelectorAll(".person").forEach((cell) => titlePerson(cell, page));
}

/* What the cards are drawn from: the board as it was then, or a draft that is laid over the day. */
function stateOf(page) {
  const state = readState(source, recorded, board.layout, page);
  if (own.draft) return Object.assign(state, { board, figures: countedAlike(board.layout, state) });
  const then = state.board.version < 0 ? settings.board : state.board; // of a time before the board was made: as it is today
  if (then.version === board.version) return Object.assign(state, { board });
  board = then;
  return Object.assign(readState(source, recorded, board.layout, page), { board });
}

/* A draft's cards show what was counted for any card of the board that asked for the same; nothing else was counted then. */
function countedAlike(layout, state) {
  const figures = new Map(state.figures);
  const missing = (layout.cards || []).filter((card) => isMissing(card, state));
  missing.forEach((card) => {
    const found = Array.from(state.figures.values()).find((doc) => doc.of && doc.of === purpose(card));
    if (found) figures.set("figure:" + card.id, found);
  });
  return figures;
}

/* The moment stands in the address, so that the page's link is the moment's. */
function writeAddress() {
  clearTimeout(writing);
  const address = new URL(location.href);
  address.search = "?at=" + written(at, zone).replace("+", "%2B") + (own.draft ? "&draft=1" : "");
  if (address.href !== location.href) history.replaceState(null, "", address.href);
}

new Share(panel, own.texts, {
  writeAddress,
  name: () => `${settings.board.name} ${written(at, zone).slice(0, 19).replace("T", " ").replace(/:/g, ".")}.png`,
  nodes: () => [mark, line, root],
});

jumps.forEach((button, index) => button.addEventListener("click", () => jump(index ? 1 : -1)));
again.addEventListener("click", () => (stretches ? stretches.again() : open(opening)));
dayInput.addEventListener("change", () => dayInput.value && choose(dayInput.value));
player.onPause = writeAddress;
addEventListener("resize", soon);
explainFigures(shown);
open(opening);
