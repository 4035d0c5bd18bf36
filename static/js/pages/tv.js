/* What only a TV does: it turns its boards, says how it is doing, follows orders, and goes dark when it may not look. */
import { reloadOnceServed } from "../live/leaving.js";
import { SENT_AWAY } from "../live/socket.js";
import { openAlerts, unacknowledged, numbersOf } from "../alerts/list.js";
import { part, setHidden, setText } from "../lib/dom.js";
import { fill } from "../lib/format.js";
import { postJson } from "../lib/requests.js";
import { Rotation } from "../views/rotation.js";
import { keepAwake } from "../views/wake-lock.js";
import { settings, shown, socket, soon } from "./board.js";
import { sound } from "./board-alerts.js";

const ALIVE_MS = 20000;
const FLASH_MS = 10000;
const RELOAD_MS = 2000;
const texts = settings.texts.tv;
const rotation = new Rotation(settings.rotation);
let wake = "";
let told = "";
let toldAt = 0;
let isTelling = false;
let flashed = 0;
let settled = 0; // how often an order brought settings
let isTesting = wasJustPaired(); // the test tone is due, as soon as the browser lets it out

function update() {
  if (SENT_AWAY.includes(socket.closedCode)) goDark();
  turn();
  testTone();
  beat();
}

/* Once whenever the sound is turned on: at pairing, by a supervisor, or by a touch where the browser kept it back. */
function testTone() {
  if (!isTesting || sound.state !== "on") return;
  isTesting = false;
  sound.play("late");
}

function wasJustPaired() {
  try {
    const was = sessionStorage.getItem("wallboard.paired"); // pages/pair.js leaves it
    sessionStorage.removeItem("wallboard.paired");
    return Boolean(was);
  } catch (error) {
    return false; // storage is switched off
  }
}

/* All boards of the rotation come over the one socket: another one is only drawn, nothing is loaded. */
function turn() {
  const documentOf = (id) => socket.store.docs("board:" + id).get("board");
  const id = rotation.boardAt(
    Date.now(),
    (each) => Boolean(documentOf(each)),
    (each) => isCalling(documentOf(each)),
  );
  const next = documentOf(id);
  if (!next || settings.feeds.board === "board:" + id) return;
  settings.feeds.board = "board:" + id;
  settings.board = next;
  soon();
}

/* While readings are old nobody is called, and the boards go on turning. */
function isCalling(board) {
  if (shown.state.isSilent || !shown.state.fresh.isKnown) return false;
  return unacknowledged(openAlerts(socket.store.docs("alerts"), numbersOf(board.layout))).length > 0;
}

/* One at a time, so that none overtakes another; one that hangs holds the next up no longer than usual. */
function beat() {
  const report = reportNow();
  const steady = JSON.stringify(Object.assign({}, report, { data_age: report.data_age === null }));
  if ((isTelling || steady === told) && Math.abs(Date.now() - toldAt) < ALIVE_MS) return;
  told = steady;
  toldAt = Date.now();
  isTelling = true;
  const before = settled;
  postJson("/screen/alive/", report).then(({ status, body }) => {
    isTelling = false;
    if (status === 403) goAway();
    // Orders are missed while there is no connection; one that came meanwhile is newer than this.
    if (status === 200 && body && settled === before) settle(body);
  });
}

function reportNow() {
  const poll = shown.state.poll;
  const age = poll && poll.read_at ? Math.max(0, Math.round((shown.page.now - poll.read_at) / 1000)) : null;
  return {
    showing: shown.state.board.id,
    data_age: age,
    awake: wake,
    sound: sound.state,
    release: settings.release,
    width: innerWidth,
    height: innerHeight,
  };
}

function goDark() {
  document.documentElement.classList.add("is-dark");
}

/* The heartbeat was refused and the socket has not said so: the server's page tells what to do. */
function goAway() {
  goDark();
  reloadOnceServed(RELOAD_MS);
}

function follow(order) {
  if (order.order === "reload") reloadOnceServed(0);
  if (order.order === "flash") flash();
  if (order.order !== "settings") return;
  settled += 1;
  settle(order);
}

/* own: {name, sound}, as a supervisor has set them. */
function settle(own) {
  if (own.name === settings.screen && own.sound === sound.isWanted) return;
  settings.screen = own.name;
  isTesting = isTesting || (own.sound && sound.state === "off");
  sound.want(own.sound);
  showFoot();
  soon();
}

function flash() {
  const box = document.getElementById("flash");
  setText(box, settings.screen);
  setHidden(box, false);
  clearTimeout(flashed);
  flashed = setTimeout(() => setHidden(box, true), FLASH_MS);
}

function showFoot() {
  setText(part(document, "foot-screen"), fill(texts.foot, { name: settings.screen, wake: texts[wake] || "" }));
}

/* Where the address is https: a worker that stands between this page and the network (pages/tv-worker.js). */
function standBy() {
  const workers = navigator.serviceWorker;
  if (!workers) return;
  workers.register("/screen/worker.js").catch(() => {});
  workers.ready.then((registration) => registration.active.postMessage("running"));
}

standBy();
socket.onOrder = follow;
document.addEventListener("pointerdown", () => {
  isTesting = isTesting || sound.state === "blocked";
});
document.addEventListener("board-drawn", update);
keepAwake((state) => {
  wake = state;
  showFoot();
});
if (shown.state) update();
