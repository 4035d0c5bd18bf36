/* Figures of single cards: of now from the queues' documents, of a window from what the server counted. */
import { duration, fill, LOCALE, NONE, span, UNKNOWN } from "../lib/format.js";
import { isFresh } from "./board-state.js";
import { callsOn, countedFor, countOf, levelBy, nameOf, peopleOn, queuesOf, sinceOf, toldOf, worst } from "./card-scope.js";
import * as sums from "./sums.js";

export const WAITS = ["longest", "average", "answer_speed", "ahead_longest"];
const OF_PEOPLE = ["talking", "ringing", "idle"];
const OF_CALLS = ["answered", "unanswered", "service_level", "left_queue", "answer_speed"];
const WHOLE = 0.9; // of a window's minutes: the newest one is still being counted
const TARGETS = {
  waiting: "waiting",
  most_waiting: "waiting",
  longest: "longest_wait",
  average: "average_wait",
  available: "available_below",
};

/* {isKnown, text, note, level, since} of a card of kind `figure`. */
export function figureValue(card, data, page) {
  const found = card.window === "now" ? valueNow(card, data, page) : valueThen(card, data, page);
  if (found.isBeyondLimit) return Object.assign(found, { text: NONE, level: "normal", note: page.texts.beyond_limit });
  if (!found.isKnown) return Object.assign(found, { text: UNKNOWN, level: "unknown" });
  const level = card.levels && !found.isLately ? levelBy(card.levels, found.number) : found.level || "normal";
  return Object.assign(found, { level, text: found.range || written(card.figure, found.number) });
}

/* What is expected is told by its range, marked as an estimate wherever a card has no room for its note, which has the middle. */
export function rangeOf(card, doc) {
  return doc && doc.range ? "~" + doc.range.map((end) => written(card.figure, end)).join("–") : "";
}

function written(figure, number) {
  if (number === null || WAITS.includes(figure)) return duration(number);
  return count(number) + (figure === "service_level" ? " %" : "");
}

const COUNTS = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1 });

export function count(number) {
  return COUNTS.format(number);
}

function valueNow(card, data, page) {
  if (OF_PEOPLE.includes(card.figure))
    return counted(data.events, peopleOn(card, data.people).filter((each) => each.state === card.figure).length);
  if (card.figure === "calls") return counted(data.callEvents, countOf(callsOn(card, data.calls)));
  const queues = queuesOf(card, data);
  const known = queues.filter((queue) => queue.fresh.isKnown);
  const isKnown = data.fresh.isKnown && known.length > 0;
  if (!isKnown) return { isKnown, since: sinceOf(queues, data) };
  const told = numberNow(card.figure, known, page);
  const level = worst(known.map((queue) => levelOf(card.figure, queue, page)));
  const some = known.length < queues.length ? fill(page.texts.some_queues, { n: known.length, of: queues.length }) : "";
  const of = told.queue && queues.length > 1 ? nameOf(told.queue) : "";
  const note = [told.isLately && page.texts.lately, of, some].filter(Boolean).join(" · ");
  return { isKnown: told.isKnown !== false, why: told.why, isLately: told.isLately, number: told.number, level, note };
}

/* trust: freshness.ofEvents. */
function counted(trust, number) {
  return { isKnown: trust.isKnown, since: trust.since, number };
}

/* Agents are never summed: people serve several queues, so the queue with the fewest is told. */
function numberNow(figure, known, page) {
  const isMost = figure === "most_waiting";
  if (isMost || figure === "available" || figure === "agents") {
    const of = (queue) => queue.figures[isMost ? "waiting" : figure];
    const told = known.filter((queue) => of(queue) !== null).sort((one, other) => (isMost ? -1 : 1) * (of(one) - of(other)))[0];
    return told ? { number: of(told), queue: (of(told) || !isMost) && told } : { isKnown: false };
  }
  const all = sums.totals(
    known.map((queue) => queue.figures),
    known[0].readAt,
    page.now,
  );
  const isLately = figure === "longest" && all.lately;
  if (all.hidden[figure] && !isLately) return { isKnown: false, why: "hidden_wait" };
  return { number: isLately || all[figure], isLately };
}

function valueThen(card, data, page) {
  const doc = countedFor(card, data);
  const trust = !OF_CALLS.includes(card.figure) ? data.fresh : data.callEvents;
  const isKnown = isFresh(doc, page.now, data.isSilent) && trust.isKnown && doc.is_known;
  if (!doc && trust.isKnown && page.isLimited) return { isKnown, isBeyondLimit: true };
  if (!isKnown) return { isKnown, why: doc && doc.why, since: trust.isKnown ? doc && doc.at : trust.since };
  const of = doc.queue && data.byNumber.get(doc.queue);
  return {
    isKnown,
    number: doc.value,
    level: doc.level,
    range: rangeOf(card, doc),
    note: [
      measuredWindow(card, doc, page),
      doc.range ? doc.range[1] && fill(page.texts.about_so_many, { n: written(card.figure, doc.value) }) : page.texts.whys[doc.why],
      toldOf(doc, page),
      of && nameOf(of),
      doc.told && fill(page.texts.some_queues, doc.told),
    ]
      .filter(Boolean)
      .join(" · "),
  };
}

/* The window's name, and for how much of it queues were read where that is clearly less. */
function measuredWindow(card, doc, page) {
  const window = page.texts.windows[card.window];
  const minutes = (doc.at - doc.since) / 60000;
  if (typeof doc.measured_minutes !== "number" || doc.measured_minutes >= minutes * WHOLE) return window;
  return fill(page.texts.measured_part, { window, span: span(doc.measured_minutes * 60, page.texts) });
}

/* How one queue's figure stands against the queue's own targets. */
function levelOf(figure, queue, page) {
  const name = TARGETS[figure];
  const targets = queue.about && queue.about.targets && queue.about.targets[name];
  if (!targets || queue.figures.level === "normal") return "normal";
  const values = {
    longest: sums.longestNow(queue.figures, queue.readAt, page.now),
    average: sums.averageNow(queue.figures),
    available: queue.figures.available,
  };
  const number = figure in values ? values[figure] : queue.figures.waiting;
  return levelBy({ watch: targets[0], late: targets[1], below: figure === "available" }, number);
}
