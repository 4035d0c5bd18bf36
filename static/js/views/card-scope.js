/* What a card covers, what was counted for it, and how its queues stand. */
import { clock, fill } from "../lib/format.js";
import { chosen } from "./board-state.js";
import { longestNow } from "./sums.js";

const COUNTED = ["totals", "ribbon", "callbacks"]; // kinds whose figures the server always counts
const RANKS = ["normal", "watch", "late"];

/* The queues that a card covers. */
export function queuesOf(card, data) {
  return chosen(data.queues, data.byNumber, card.queues);
}

/* Whether queues of the card are read and an administrator shows none of them on boards: what people set for a hidden one is not sent. */
export function areAllHidden(card, data) {
  const known = Array.from(data.byNumber.values()).filter((queue) => !card.queues || card.queues.includes(queue.number));
  return known.length > 0 && known.every((queue) => !queue.about);
}

/* The people of a list that a card covers. */
export function peopleOn(card, list) {
  return card.people ? list.filter((person) => card.people.includes(person.extension)) : list;
}

/* The calls that a card covers: those of its queues, with one of its people on them. */
export function callsOn(card, calls) {
  const isOf = (list, mine) => !mine || list.some((each) => mine.includes(each));
  return calls.filter(
    (call) => isOf([call.queue].concat(call.via || []), card.queues) && isOf([call.from.extension, call.to.extension], card.people),
  );
}

/* How many calls these are: one that rings at several phones is a row of each, and one that nobody confirmed may be over. */
export function countOf(calls) {
  return new Set(calls.filter((call) => !call.unconfirmed).map((call) => call.call)).size;
}

/* What a figure must have been counted for, in the server's words; a changed card waits for it. */
export function purpose(card) {
  const queues = card.queues ? card.queues.join(",") : "*";
  return card.kind === "figure" ? [card.figure, card.window, queues].join(" ") : card.kind + " " + queues;
}

export function countedFor(card, data) {
  const doc = data.figures.get("figure:" + card.id);
  return doc && doc.of === purpose(card) ? doc : null;
}

export function isMissing(card, data) {
  const isCounted = card.kind === "figure" ? card.window !== "now" : COUNTED.includes(card.kind);
  return isCounted && Boolean(card.w) && !countedFor(card, data);
}

/* Since when none of the queues is known: the newest of their last good moments. */
export function sinceOf(queues, data) {
  if (!data.fresh.isKnown) return data.fresh.since;
  return queues.reduce((last, queue) => Math.max(last, queue.fresh.since || 0), 0) || null;
}

export function nameOf(queue) {
  return (queue.about && queue.about.name) || queue.number;
}

export function levelBy(levels, number) {
  if (typeof number !== "number") return "normal";
  const reaches = (bound) => typeof bound === "number" && (levels.below ? number < bound : number >= bound);
  return reaches(levels.late) ? "late" : reaches(levels.watch) ? "watch" : "normal";
}

export function worst(levels) {
  return levels.reduce((most, level) => (RANKS.indexOf(level) > RANKS.indexOf(most) ? level : most), "normal");
}

/* A queue's level on a card: by the card's own levels of the longest wait, else by the queue's targets. */
export function levelOn(card, queue, page) {
  if (!queue.fresh.isKnown) return "unknown";
  if (queue.figures.reason === "closed") return "closed"; // outside its hours, whatever the card asks for
  return card.levels ? levelBy(card.levels, longestNow(queue.figures, queue.readAt, page.now)) : queue.figures.level;
}

export function noData(since, page) {
  return since ? fill(page.texts.no_data_since, { time: clock(since, page.zone, page.now) }) : page.texts.no_data_yet;
}

/* Since when calls are counted, and a mark where some are missing; the foot says which. */
export function toldOf(doc, page) {
  const since = doc.counted_since ? fill(page.texts.counted_since, { time: clock(doc.counted_since, page.zone, page.now) }) : "";
  return since + (doc.missing ? " *" : "");
}

export function missingText(gap, page) {
  const at = (ms) => clock(ms, page.zone, page.now);
  return fill(page.texts.missing, { n: Math.ceil(gap.seconds / 60), since: at(gap.since), until: at(gap.until) });
}
