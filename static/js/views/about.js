/* Where a figure comes from: its meaning, over which time and in which zone, how far it can be trusted, and how old it is. */
import { clock, comma, duration, fill, NONE, noteOf, span, UNKNOWN } from "../lib/format.js";
import { averageNow, isHidden, longestNow } from "./sums.js";
import { countedFor, missingText, nameOf, peopleOn, queuesOf } from "./card-scope.js";

const DERIVED = [
  "late_minutes",
  "watch_minutes",
  "nobody_minutes",
  "answered",
  "unanswered",
  "talking",
  "ringing",
  "idle",
  "calls",
  "people",
  "callbacks",
  "ribbon",
];
const OF_CALLS = ["answered", "unanswered", "callbacks"]; // which queue such a call was for, only its legs tell
const OF_EVENTS = ["talking", "ringing", "idle", "calls", "people"];
const HOUR_MS = 3600000;
const WINDOWS = { ribbon: "day", trend: "60", clock: "", callbacks: "days" };

/* Entries are {title, value, text}; `trust` is said beside the value. */
export function aboutQueue(queue, page) {
  const why = page.texts.why;
  if (!queue.figures || !queue.fresh.isKnown) return [{ title: page.texts.no_data_yet, text: "" }];
  const figures = queue.figures;
  const list = [
    { title: why.title_waiting, value: String(figures.waiting), text: why.waiting, trust: why.measured },
    waitEntry("longest", longestNow(figures, queue.readAt, page.now), figures, why),
    waitEntry("average", averageNow(figures), figures, why),
    {
      title: why.title_agents,
      value: figures.agents === null ? NONE : figures.available + " / " + figures.agents,
      text: why.agents,
      trust: why.measured,
    },
  ];
  const reason = reasonOf(queue, page);
  const ends = [{ title: readAgo(queue.readAt, page), text: why.trend }];
  return reason.concat(windowEntry("now", null, page), list, ends);
}

/* name: longest or average. */
function waitEntry(name, now, figures, why) {
  const lately = figures[name + "_lately"];
  const value = isHidden(figures, now) ? UNKNOWN : duration(now);
  if (!lately) return { title: why["title_" + name], value, text: why[name], trust: why.measured };
  return { title: why["title_" + name + "_lately"], value: duration(lately), text: why.lately, trust: why.measured };
}

/* Which target a queue misses, and since when; nothing while all is well. */
function reasonOf(queue, page) {
  const why = page.texts.why;
  const figures = queue.figures;
  const level = page.texts.levels[figures.level];
  if (!level) return [];
  const limits = (queue.about && queue.about.targets && targetOf(queue.about.targets, figures.reason)) || [];
  const limit = limits[figures.level === "late" ? 1 : 0];
  const texts = {
    longest_wait: fill(why.longest_wait, { value: duration(longestNow(figures, queue.readAt, page.now)), limit: duration(limit) }),
    average_wait: fill(why.average_wait, { value: duration(averageNow(figures)), limit: duration(limit) }),
    waiting: fill(why.waiting_level, { value: figures.waiting, limit }),
    available: fill(why.available_below, { value: figures.available, limit }),
  };
  const since = figures.since ? fill(why.since, { level, time: clock(figures.since, page.zone, page.now) }) : level;
  return [{ title: since, text: texts[figures.reason] || "" }];
}

/* Over which time a figure is, and in whose hours; since: when that began, in ms. */
function windowEntry(window, since, page) {
  const name = page.texts.windows[window];
  if (!name) return [];
  if (window === "ahead" && since) {
    const hour = { since: clock(since, page.zone, page.now), until: clock(since + HOUR_MS, page.zone, page.now) };
    return [{ title: fill(page.texts.hour_ahead, hour), text: fill(page.texts.why.zone, { zone: page.zone }) }];
  }
  const time = since && fill(page.texts.why.window_since, { window: name, time: clock(since, page.zone, page.now) });
  return [{ title: time || name, text: fill(page.texts.why.zone, { zone: page.zone }) }];
}

function trustOf(name, card, isThen) {
  if (card.window === "ahead") return "estimated";
  if (OF_CALLS.indexOf(name) !== -1 && card.queues) return "estimated";
  return isThen || DERIVED.indexOf(name) !== -1 ? "derived" : "measured";
}

function targetOf(targets, reason) {
  return reason === "available" ? targets.available_below : targets[reason];
}

/* Which call events are missing from what was counted. */
function missingEntry(doc, page) {
  return doc && doc.missing ? [{ title: missingText(doc.missing, page).replace(/^\* /, ""), text: "" }] : [];
}

function readAgo(readAt, page) {
  const ago = span((page.now - readAt) / 1000, page.texts);
  return fill(page.texts.why.read, { ago, time: clock(readAt, page.zone, page.now) });
}

/* name: a total's, or "card" for the card itself. */
export function aboutCard(card, name, state, page) {
  if (name !== "card") return aboutTotal(name, card, state, page);
  const why = page.texts.why;
  const what = card.figure || card.kind;
  const isThen = card.kind === "figure" && card.window !== "now";
  const doc = countedFor(card, state);
  const trust = trustOf(what, card, isThen);
  const window = card.kind in WINDOWS ? WINDOWS[card.kind] : card.window || "now";
  const rules = ((doc && doc.rules) || []).map((rule) => fill(page.texts.formulas[rule[0]], { 0: rule[1], 1: rule[2] }));
  const isByLegs = trust === "estimated" && OF_CALLS.includes(what);
  const entries = [{ title: why[trust], text: sentences(page.texts.about[what], rules.join("; "), isByLegs && why.by_legs) }];
  if (doc && doc.bounds) entries.push(...boundEntries(doc.bounds, page));
  if (doc && doc.why) entries.unshift({ title: page.texts.locks[doc.why] || page.texts.whys[doc.why], text: "" });
  entries.push(...windowEntry(window, doc && doc.since, page));
  if (card.queues) entries.push({ title: why.covers, text: queuesOf(card, state).map(nameOf).join(comma()) });
  if (card.people)
    entries.push({
      title: why.covers_people,
      text: peopleOn(card, state.people)
        .map((each) => each.name || each.extension)
        .join(comma()),
    });
  entries.push(...missingEntry(doc, page));
  const age = ageOf(card, doc, state, page);
  return age ? entries.concat([{ title: age, text: "" }]) : entries;
}

/* From where on a service level is watch, and late. */
function boundEntries(bounds, page) {
  const texts = [page.texts.watch_below, page.texts.late_below];
  const told = texts.map((text, at) => (bounds[at] ? fill(text, { n: bounds[at] }) : "")).filter(Boolean);
  return told.length ? [{ title: told.join(comma()), text: page.texts.fewest }] : [];
}

/* A clock has no age; what phones do is told as it happens, or not at all. */
function ageOf(card, doc, state, page) {
  if (card.kind === "clock") return "";
  if (doc) return fill(page.texts.why.counted, { time: clock(doc.at, page.zone, page.now) });
  const what = card.figure || card.kind;
  if (OF_EVENTS.indexOf(what) === -1) return state.poll && state.poll.read_at ? readAgo(state.poll.read_at, page) : "";
  const trust = what === "calls" ? state.callEvents : state.events;
  return trust.isKnown ? page.texts.why.live : noteOf(trust, page);
}

function sentences(...texts) {
  return texts.filter(Boolean).join(" ");
}

function aboutTotal(name, card, state, page) {
  const why = page.texts.why;
  const isToday = name === "late" || name === "unanswered";
  const today = card.w ? countedFor(card, state) : state.today;
  const trust = isToday ? trustOf(name, card, true) : "measured";
  const text = fill(why["sum_" + name], { of: today && today.ended !== null ? today.ended : NONE });
  const moment = isToday ? today && today.at : state.poll && state.poll.read_at;
  const entries = [{ title: why[trust], text: sentences(text, trust === "estimated" && why.by_legs) }];
  if (name === "unanswered" && today && today.why)
    entries.unshift({ title: page.texts.locks[today.why] || page.texts.whys[today.why], text: "" });
  entries.push(...windowEntry(isToday ? "today" : "now", today && isToday && today.since, page));
  if (card.queues) entries.push({ title: why.covers, text: queuesOf(card, state).map(nameOf).join(comma()) });
  if (!moment) return entries;
  if (name === "unanswered") entries.push(...missingEntry(today, page));
  const age = isToday ? fill(why.counted, { time: clock(moment, page.zone, page.now) }) : readAgo(moment, page);
  return entries.concat([{ title: age, text: "" }]);
}

/* By which keys the server knows the figures of a card: those of wallboard/figures/. */
export const QUEUE_KEYS = ["queue.waiting", "queue.longest", "queue.average", "queue.agents", "queue.trend"];

export function keysOf(card, name) {
  return [name === "card" ? "card." + (card.figure || card.kind) : "sum." + name];
}
