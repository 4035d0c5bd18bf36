/* Where a figure comes from: its meaning, whether it is measured or derived, and how old it is. */
import { setHidden } from "./dom.js";
import { clock, duration, fill, NONE, span } from "./format.js";
import { averageNow, longestNow } from "./sums.js";
import { countedFor, nameOf, queuesOf } from "./scope.js";

const TRUSTS = { late_minutes: "derived", nobody_minutes: "derived", answered: "derived", unanswered: "derived" };
const OF_KIND = { people: "derived", calls: "derived", callbacks: "derived", ribbon: "derived" };

/* Entries are {title, value, text}; `trust` is said beside the value. */
export function aboutQueue(queue, page) {
  const why = page.words.why;
  if (!queue.figures || !queue.fresh.isKnown) return [{ title: page.words.no_data_yet, text: "" }];
  const figures = queue.figures;
  const list = [
    { title: why.title_waiting, value: String(figures.waiting), text: why.waiting, trust: why.measured },
    { title: why.title_longest, value: duration(longestNow(figures, queue.readAt, page.now)), text: why.longest, trust: why.measured },
    { title: why.title_average, value: duration(averageNow(figures)), text: why.average, trust: why.measured },
    { title: why.title_agents, value: figures.agents === null ? NONE : figures.available + " / " + figures.agents, text: why.agents, trust: why.measured },
  ];
  const reason = reasonOf(queue, page);
  return reason.concat(list, [{ title: readWords(queue.readAt, page), text: why.trend }]);
}

/* Which target a queue misses, and since when; nothing while all is well. */
export function reasonOf(queue, page) {
  const why = page.words.why;
  const figures = queue.figures;
  const level = page.words.levels[figures.level];
  if (!level) return [];
  const limits = (queue.about && queue.about.targets && targetOf(queue.about.targets, figures.reason)) || [];
  const limit = limits[figures.level === "late" ? 1 : 0];
  const texts = {
    longest_wait: fill(why.longest_wait, { value: duration(longestNow(figures, queue.readAt, page.now)), limit: duration(limit) }),
    waiting: fill(why.waiting_level, { value: figures.waiting, limit }),
    available: fill(why.available_below, { value: figures.available, limit }),
  };
  const since = figures.since ? fill(why.since, { level, time: clock(figures.since, page.zone, page.now) }) : level;
  return [{ title: since, text: texts[figures.reason] || "" }];
}

function targetOf(targets, reason) {
  return reason === "available" ? targets.available_below : targets[reason];
}

function readWords(readAt, page) {
  const ago = span((page.now - readAt) / 1000, page.words);
  return fill(page.words.why.read, { ago, time: clock(readAt, page.zone, page.now) });
}

/* name: a total's, or "card" for the card itself. */
export function aboutCard(card, name, state, page) {
  if (name !== "card") return aboutTotal(name, card, state, page);
  const why = page.words.why;
  const told = page.words.about[card.kind === "figure" ? card.figure : card.kind];
  const trust = card.kind === "figure" && TRUSTS[card.figure] ? TRUSTS[card.figure] : OF_KIND[card.kind] || "measured";
  const isThen = card.kind === "figure" && card.window !== "now";
  const doc = countedFor(card, state);
  const entries = [{ title: why[isThen && trust === "measured" ? "derived" : trust], text: told || "" }];
  if (card.kind === "figure") entries.push({ title: page.words.windows[card.window], text: fill(why.zone, { zone: page.zone }) });
  if (card.queues) entries.push({ title: why.covers, text: queuesOf(card, state).map(nameOf).join(", ") });
  const moment = doc ? doc.at : state.poll && state.poll.read_at;
  if (moment) entries.push({ title: doc ? fill(why.counted, { time: clock(moment, page.zone, page.now) }) : readWords(moment, page), text: "" });
  return entries;
}

function aboutTotal(name, card, state, page) {
  const why = page.words.why;
  const isToday = name === "late" || name === "unanswered";
  const today = card.w ? countedFor(card, state) : state.today;
  const text = fill(why["sum_" + name], { of: today ? today.ended : NONE });
  const moment = isToday ? today && today.at : state.poll && state.poll.read_at;
  const entries = [{ title: isToday ? why.derived : why.measured, text }];
  if (!moment) return entries;
  const age = isToday ? fill(why.counted, { time: clock(moment, page.zone, page.now) }) : readWords(moment, page);
  return entries.concat([{ title: age, text: "" }]);
}

export function showAbout(box, title, entries) {
  box.querySelector("h2").textContent = title;
  const list = box.querySelector("dl");
  list.textContent = "";
  entries.forEach((entry) => {
    const term = list.appendChild(document.createElement("dt"));
    term.appendChild(document.createElement("b")).textContent = entry.title + (entry.value ? " " + entry.value : "");
    term.appendChild(document.createElement("span")).textContent = entry.trust || "";
    list.appendChild(document.createElement("dd")).textContent = entry.text;
  });
  setHidden(box, false);
  box.querySelector("h2").focus();
}
