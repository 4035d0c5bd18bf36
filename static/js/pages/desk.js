// The desk: the socket rings the bell, the server gives the card to one page of the person, and this page shows it.
import { Notifier } from "../desk/notifier.js";
import { CallBacksView } from "../desk/callbacks.js";
import { CardArea } from "../desk/card-area.js";
import { Claims } from "../desk/claims.js";
import { DayView } from "../desk/day.js";
import { onDial } from "../desk/dialling.js";
import { Dock } from "../desk/dock.js";
import { Drafts } from "../desk/drafts.js";
import { pageName } from "../desk/page-name.js";
import { FloatingWindow } from "../desk/picture-in-picture.js";
import { PeopleView } from "../desk/people.js";
import { QueuesView } from "../desk/queues.js";
import { Quiet } from "../desk/quiet.js";
import { listenToRules, showIgnored } from "../desk/rules.js";
import { Server } from "../desk/server.js";
import { Ringer } from "../desk/ringer.js";
import { RingingBar } from "../desk/ringing-bar.js";
import { OwnStatus } from "../desk/status.js";
import { CallStrips } from "../desk/strips.js";
import { Toast } from "../desk/toast.js";
import { clock as clockIn, fill } from "../lib/format.js";
import { dayClock } from "../lib/times.js";
import { doubt, showWarning } from "../desk/connection-health.js";
import { LiveSocket } from "../live/socket.js";
import { reloadWhenChanged } from "../views/changed-page.js";

const page = JSON.parse(document.getElementById("page").textContent);
const { texts, me } = page;
const server = new Server(page);
const clock = (ms) => clockIn(ms, page.zone);
const drafts = new Drafts(me.person);
const openedAt = Date.now();
const DAY_WAITS_MS = 250;
const SEARCH_WAITS_MS = 200;
const CALL_BACKS_EVERY_MS = 30_000; // colleagues' calls ring no bell here
const CALL_BACKS_FRESH_MS = 3_500; // the server gives one reading of the calls to everybody for three seconds

const live = document.getElementById("live");
const quiet = document.getElementById("quiet");
const log = document.getElementById("log");
let rules = page.rules;
let knownUntil = ""; // the time of day up to which calls are known, while they cannot be heard
let dayTimer = 0;

const now = () => socket.serverNow();
const at = (ms) => dayClock(ms, page.zone, now(), texts);
const asOf = (entry) => knownUntil || (entry.as_of ? clock(entry.as_of) : "");
const hasFocus = () => document.hasFocus() || floating.hasFocus;

const claims = new Claims(server, { page: pageName(), zone: page.zone, attention });
const dock = new Dock({ ask: (leg, take) => claims.ask(leg, take), put, changed, isBusy: () => cards.hasTyping, now });
const cards = new CardArea(
  document.getElementById("card-area"),
  { server, drafts, texts, clock, at, now, changed, remember, rules: () => rules, hasFocus },
  { close: (call) => dock.close([call]), ignore: (call) => ignore(dock.get(call), true) },
);
const strips = new CallStrips(document.getElementById("strips"), document.getElementById("over"), texts, act);
const people = new PeopleView(me.extension, texts, page.zone);
const queues = new QueuesView(texts, clock);
const day = new DayView(
  texts,
  clock,
  (call) => open(call),
  () => refreshDay(SEARCH_WAITS_MS),
);
const callBacks = new CallBacksView({ server, texts, at });
const notifier = new Notifier(texts);
const ringingBar = new RingingBar(texts, ({ call }) => (call === dock.chosen ? cards.shown : strips.find(call)));
const ringer = new Ringer(texts);
const toast = new Toast();
const floating = new FloatingWindow(live, tick);
const socket = new LiveSocket("desk=1", { onNews, onStatus });

const hush = new Quiet({ server, texts, clock, now, tell: (text) => toast.tell(text), ended: () => dock.wake() }, page.quiet);

const status = new OwnStatus({ server, texts, zone: page.zone, now }, page.status);

listenToRules(document.getElementById("rules"), { server, texts, onSaved: (saved) => (rules = saved) });
day.update(page.day);
dock.follow(page.day.dialled);
drafts.deliver(server);
callBacks.refresh();
setInterval(() => document.hidden || refreshDay(), CALL_BACKS_EVERY_MS);
setInterval(tick, 1000);
addEventListener("pagehide", leave);
onDial(() => refreshDay());
document.addEventListener("visibilitychange", () => (document.hidden ? cards.keepNotes({ isLeaving: true }) : tick()));

function onNews(feed, keys) {
  const documents = socket.store.docs(feed);
  if (feed === `desk:${me.extension}`) {
    hear(documents, keys);
  } else if (feed === "people") {
    showPeople();
    if (keys?.includes(me.extension)) {
      status.update(documents.get(me.extension)?.status ?? null);
      refreshDay(); // calls that one makes ring no bell
    }
  } else if (feed === "queues") {
    queues.update(documents, now());
  }
  beat();
}

function hear(documents, keys) {
  if (keys === null) {
    dock.hearAll([...documents.values()]);
    claims.distrust();
  } else {
    keys.filter((key) => documents.has(key)).forEach((key) => dock.hear(documents.get(key)));
    const gone = keys.filter((key) => !documents.has(key));
    if (gone.length) {
      dock.hearGone(gone.map(Number));
    }
  }
  refreshDay();
}

/** Later, because the socket speaks of itself before it is ours. */
function onStatus() {
  queueMicrotask(tick);
}

function attention() {
  if (hasFocus()) {
    return "focused";
  }
  return document.hidden && !floating.window ? "hidden" : "visible";
}

/** What is known of the contact that the person chose. */
async function remember(entry, contact) {
  dock.renew(entry, await claims.askAbout(entry.leg, contact));
}

function put(calls) {
  cards.keepNotes({}, calls);
  claims.close(calls);
}

async function open(call) {
  await dock.take(call);
  cards.scrollIntoView();
}

function act(what, call) {
  const acts = {
    show: () => dock.show(call),
    take: () => dock.take(dock.get(call)),
    close: () => dock.close([call]),
    "close-all": () =>
      dock.close(
        dock
          .here()
          .filter((entry) => entry.state === "ended")
          .map((entry) => entry.call),
      ),
  };
  acts[what]();
}

/** Draw the dock again: the large card, the lines above it, and what reaches people who look elsewhere. */
function changed() {
  const here = dock.here();
  const chosen = here.find((entry) => entry.call === dock.chosen);
  cards.update(here, chosen, now(), asOf);
  showStrips(chosen);
  quiet.hidden = chosen !== undefined || dock.elsewhere().length > 0 || dock.unanswered().length > 0;
  log.hidden = chosen !== undefined && chosen.state !== "ended";
  const ringing = dock.ringing();
  const talking = here.find((entry) => entry.state === "talking");
  notifier.update({ ringing, talking, missed: dock.missed().length, isSeen: hasFocus() || floating.window !== null });
  ringer.update(ringing.length > 0 && !isDeaf());
}

/** Whether what rings cannot be heard of: what is shown may be over long since. */
function isDeaf() {
  const health = socket.store.docs("people").get("events");
  return socket.isSilentAbout(`desk:${me.extension}`) || health?.state === "down";
}

/** Whether loading the page anew would take a call, a window or a sound away from somebody. */
function isInUse() {
  return cards.hasTyping || floating.window !== null || dock.here().some((entry) => entry.state !== "ended");
}

function showStrips(chosen) {
  const here = dock.here().filter((entry) => entry !== chosen);
  strips.update({ here, unanswered: dock.unanswered(), elsewhere: dock.elsewhere() }, now(), asOf);
  ringingBar.update(dock.ringing()[0], now(), asOf);
}

/** No card for this caller from now on, or cards again. */
async function ignore(entry, isIgnored) {
  const answer = await server.post("ignore", { leg: entry.leg, is_ignored: isIgnored }).catch(() => null);
  if (!answer || answer.problem) {
    return toast.tell(answer?.problem || texts.save_failed);
  }
  showIgnored(answer.ignored);
  const text = fill(isIgnored ? texts.ignored : texts.not_ignored, { name: entry.card.name });
  toast.tell(text, isIgnored ? () => ignore(entry, false) : null);
  return isIgnored && entry.state !== "talking" && dock.close([entry.call]);
}

/** Once a second: running times, ages, and what lapses by itself. */
function tick() {
  showConnectionHealth();
  const chosen = dock.get(dock.chosen);
  cards.tick(chosen, now(), asOf);
  showStrips(chosen);
  people.tick(now());
  queues.tick(now(), !socket.isSilentAbout("queues"));
  hush.tick();
  status.tick();
  dock.tidy((call) => cards.isInUse(call), 1000 * rules.hide_after_seconds);
  beat();
  reloadWhenChanged(socket, isInUse);
}

function showConnectionHealth() {
  const health = socket.store.docs("people").get("events");
  const found = doubt({ status: socket.status, health, ageMs: Date.now() - openedAt, texts, clock });
  const wasDoubtful = document.body.classList.contains("is-doubtful");
  knownUntil = found ? clock(found.since ?? now()) : "";
  showWarning(found, live);
  if (wasDoubtful !== (found !== null)) {
    day.doubt(found !== null);
    showPeople();
  }
  ringer.update(dock.ringing().length > 0 && !isDeaf());
}

function showPeople() {
  const documents = socket.store.docs("people");
  people.update(documents, !document.body.classList.contains("is-doubtful"), now());
}

/** Keep our claims alive, and look whether a page that showed a call has gone. */
async function beat() {
  if (claims.isDue && dock.isBusy) {
    dock.retry();
    dock.lose(await claims.renew(dock.here().map((entry) => entry.call)));
  }
}

function refreshDay(wait = DAY_WAITS_MS) {
  clearTimeout(dayTimer);
  dayTimer = setTimeout(async () => {
    const text = day.text;
    const today = await server.get("day", { q: text }).catch(() => null);
    if (today && text === day.text) {
      day.update(today);
      dock.follow(today.dialled);
      hush.update(today.quiet);
    }
    callBacks.refresh();
    setTimeout(() => callBacks.refresh(), CALL_BACKS_FRESH_MS);
  }, wait);
}

function leave() {
  cards.keepNotes({ isLeaving: true });
  if (dock.here().length) {
    claims.release();
  }
}
