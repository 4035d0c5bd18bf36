// The desk: the socket rings the bell, the server gives the card to one page of the person, and this page shows it.
import { Notifier } from "../desk/notifier.js";
import { CallBacksView } from "../desk/callbacks.js";
import { CardView } from "../desk/card.js";
import { DayView } from "../desk/day.js";
import { onDial } from "../desk/dialling.js";
import { Dock } from "../desk/dock.js";
import { Drafts } from "../desk/drafts.js";
import { pageName } from "../desk/page-name.js";
import { FloatingWindow } from "../desk/picture-in-picture.js";
import { PeopleView } from "../desk/people.js";
import { QueuesView } from "../desk/queues.js";
import { Quiet } from "../desk/quiet.js";
import { listenToRules } from "../desk/rules.js";
import { Refused, Server } from "../desk/server.js";
import { Ringer } from "../desk/ringer.js";
import { RingingBar } from "../desk/ringing-bar.js";
import { OwnStatus } from "../desk/status.js";
import { CallStrips } from "../desk/strips.js";
import { Toast } from "../desk/toast.js";
import { clock as clockIn, fill } from "../lib/format.js";
import { dayClock, withTimes } from "../lib/times.js";
import { doubt, showWarning } from "../desk/connection-health.js";
import { LiveSocket } from "../live/socket.js";

const page = JSON.parse(document.getElementById("page").textContent);
const { texts, me } = page;
const name = pageName();
const server = new Server(page);
const clock = (ms) => clockIn(ms, page.zone);
const drafts = new Drafts(me.person);
const openedAt = Date.now();
const RENEW_MS = 8_000;
const HIDDEN_WAITS_MS = 150; // of two open pages the one that is looked at should get the call
const UNFOCUSED_WAITS_MS = 40;
const DAY_WAITS_MS = 250;
const SEARCH_WAITS_MS = 200;
const CALL_BACKS_EVERY_MS = 30_000; // colleagues' calls ring no bell here
const CALL_BACKS_FRESH_MS = 3_500; // the server gives one reading of the calls to everybody for three seconds

const live = document.getElementById("live");
const stage = document.getElementById("stage");
const quiet = document.getElementById("quiet");
const log = document.getElementById("log");
const cards = new Map();
let renewedAt = 0;
let rules = page.rules;
let asOf = ""; // the time of day up to which calls are known, while they cannot be heard
let dayTimer = 0;

const now = () => socket.serverNow();
const at = (ms) => dayClock(ms, page.zone, now(), texts);
const typing = () => stage.ownerDocument.activeElement?.matches?.("#stage textarea, #stage input") ?? false;
const hasFocus = () => document.hasFocus() || floating.hasFocus;

const dock = new Dock({ ask, put, changed, isBusy: typing, now });
const strips = new CallStrips(document.getElementById("strips"), document.getElementById("over"), texts, act);
const people = new PeopleView(me.extension, texts, page.zone);
const queues = new QueuesView(texts, clock);
const day = new DayView(texts, clock, (call) => open(call), () => refreshDay(SEARCH_WAITS_MS));
const callBacks = new CallBacksView({ server, texts, at });
const notifier = new Notifier(texts);
const ringingBar = new RingingBar(texts, ({ call }) => (call === dock.chosen ? stage.firstElementChild : strips.find(call)));
const ringer = new Ringer(texts);
const toast = new Toast();
const floating = new FloatingWindow(live, tick);
const socket = new LiveSocket("desk=1", { onNews, onStatus });

const hush = new Quiet(
  { server, texts, clock, now, tell: (text) => toast.tell(text), ended: () => dock.wake() },
  page.quiet,
);

const status = new OwnStatus({ server, texts, zone: page.zone, now }, page.status);

listenToRules(document.getElementById("rules"), { server, texts, kept: (said) => (rules = said) });
day.update(page.day);
dock.follow(page.day.dialled);
drafts.deliver(server);
callBacks.refresh();
setInterval(() => document.hidden || refreshDay(), CALL_BACKS_EVERY_MS);
setInterval(tick, 1000);
addEventListener("pagehide", leave);
onDial(() => refreshDay());
document.addEventListener("visibilitychange", () => (document.hidden ? keepNotes({ isLeaving: true }) : tick()));

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
    renewedAt = 0;
  } else {
    keys.map((key) => documents.get(key)).filter(Boolean).forEach((news) => dock.hear(news));
  }
  refreshDay();
}

/** Later, because the socket speaks of itself before it is ours. */
function onStatus() {
  queueMicrotask(tick);
}

/** The card, after a short courtesy towards the page that is being looked at. Null: not this person's call any more. */
async function ask(leg, take) {
  const isHidden = document.hidden && !floating.window;
  const wait = take || hasFocus() ? 0 : isHidden ? HIDDEN_WAITS_MS : UNFOCUSED_WAITS_MS;
  if (wait) {
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
  try {
    return told(await server.post("pop", { leg, page: name, take }));
  } catch (problem) {
    if (problem instanceof Refused && problem.status === 404) {
      return null;
    }
    throw problem;
  }
}

/** The answer with the times of day in its sentences. */
function told(answer) {
  if (answer?.card) {
    answer.card.said = answer.card.said.map((line) => withTimes(line, page.zone));
  }
  return answer;
}

/** What is known of the contact that the person chose: the history over all its numbers. */
async function remember(entry, contact) {
  const answer = await server.post("pop", { leg: entry.leg, page: name, take: true, contact }).catch(() => null);
  dock.renew(entry, told(answer)?.card);
}

function put(calls) {
  calls.forEach((call) => cards.get(call)?.note.flush());
  server.post("close", { page: name, calls }).catch(() => {});
}

async function open(call) {
  await dock.take(call);
  stage.scrollIntoView({ block: "nearest" });
}

function act(what, call) {
  const acts = {
    show: () => dock.show(call),
    take: () => dock.take(dock.get(call)),
    close: () => dock.close([call]),
    "close-all": () => dock.close(dock.here().filter((entry) => entry.state === "ended").map((entry) => entry.call)),
  };
  acts[what]();
}

/** Draw the dock again: the large card, the lines above it, and what reaches people who look elsewhere. */
function changed() {
  const here = dock.here();
  const chosen = here.find((entry) => entry.call === dock.chosen);
  here.forEach((entry) => cardOf(entry).update(entry, now(), asOf));
  forgetCards(here);
  const wanted = chosen ? cardOf(chosen).element : null;
  if (stage.firstElementChild !== wanted) {
    stage.replaceChildren(...(wanted ? [wanted] : []));
  }
  showStrips(chosen);
  quiet.hidden = chosen !== undefined;
  log.hidden = chosen !== undefined && chosen.state !== "ended";
  const ringing = dock.ringing();
  const talking = here.find((entry) => entry.state === "talking");
  notifier.update({ ringing, talking, missed: dock.missed().length, isSeen: hasFocus() || floating.window !== null });
  ringer.update(ringing.length > 0);
}

function showStrips(chosen) {
  const here = dock.here().filter((entry) => entry !== chosen);
  strips.update({ here, unanswered: dock.unanswered(), elsewhere: dock.elsewhere() }, now(), asOf);
  ringingBar.update(dock.ringing()[0], now(), asOf);
}

function cardOf(entry) {
  if (!cards.has(entry.call)) {
    cards.set(entry.call, newCard(entry.call));
  }
  return cards.get(entry.call);
}

function newCard(call) {
  const deps = { server, drafts, texts, clock, at, now, changed, remember, rules: () => rules, hasFocus };
  return new CardView(deps, () => dock.close([call]), () => ignore(dock.get(call), true));
}

/** No card for this caller from now on, or cards again. */
async function ignore(entry, isIgnored) {
  const answer = await server.post("ignore", { leg: entry.leg, is_ignored: isIgnored }).catch(() => null);
  if (!answer || answer.problem) {
    return toast.tell(answer?.problem || texts.save_failed);
  }
  /** @type {HTMLTextAreaElement} */ (document.getElementById("rules-ignored")).value = answer.ignored;
  const text = fill(isIgnored ? texts.ignored : texts.not_ignored, { name: entry.card.name });
  toast.tell(text, isIgnored ? () => ignore(entry, false) : null);
  return isIgnored && entry.state !== "talking" && dock.close([entry.call]);
}

function forgetCards(here) {
  const shown = new Set(here.map((entry) => entry.call));
  for (const [call, card] of cards) {
    if (!shown.has(call)) {
      card.note.flush();
      cards.delete(call);
    }
  }
}

/** Once a second: running times, ages, and what lapses by itself. */
function tick() {
  showConnectionHealth();
  const chosen = dock.get(dock.chosen);
  if (chosen && cards.has(chosen.call)) {
    cards.get(chosen.call).tick(chosen, now(), asOf);
  }
  showStrips(chosen);
  people.tick(now());
  queues.tick(now(), !socket.isSilentAbout("queues"));
  hush.tick();
  status.tick();
  dock.tidy((call) => cards.get(call)?.isInUse ?? false, 1000 * rules.hide_after_seconds);
  beat();
}

function showConnectionHealth() {
  const health = socket.store.docs("people").get("events");
  const found = doubt({ status: socket.status, health, ageMs: Date.now() - openedAt, texts, clock });
  const wasDoubtful = document.body.classList.contains("is-doubtful");
  asOf = found ? clock(found.since ?? now()) : "";
  showWarning(found, live);
  if (wasDoubtful !== (found !== null)) {
    day.doubt(found !== null);
    showPeople();
  }
}

function showPeople() {
  const documents = socket.store.docs("people");
  people.update(documents, !document.body.classList.contains("is-doubtful"), now());
}

/** Keep our claims alive, and look whether a page that showed a call has gone. Timers sleep in hidden tabs, news wakes us. */
async function beat() {
  if (Date.now() - renewedAt < RENEW_MS || !dock.isBusy) {
    return;
  }
  renewedAt = Date.now();
  const calls = dock.here().map((entry) => entry.call);
  dock.retry();
  if (calls.length) {
    const answer = await server.post("renew", { page: name, calls }).catch(() => null);
    dock.lose(answer?.lost ?? []);
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

function keepNotes(how) {
  cards.forEach((card) => card.note.flush(how));
}

function leave() {
  keepNotes({ isLeaving: true });
  if (dock.here().length) {
    server.post("release", { page: name }, { keepalive: true }).catch(() => {});
  }
}
