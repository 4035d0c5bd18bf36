/* Which alerts a page shows, in which order, and what it calls them. */
import { fill } from "../lib/format.js";
import { isTried } from "../views/freshness.js";

const QUEUE_KINDS = ["totals", "tiles", "queue", "table", "figure", "trend", "ribbon", "callbacks"];
const OF_READINGS = ["level", "nobody", "no_ring"]; // kinds of which nobody knows whether they still are, once readings are old
const OF_PEOPLE = ["talking", "ringing", "idle", "calls"]; // figures that are about queues only where some were chosen

/* The alerts of these queues (null: of all), unacknowledged ones first, the worst and the oldest of them above. */
export function openAlerts(docs, numbers) {
  const list = Array.from(docs.values()).filter((each) => each && (!numbers || numbers.has(each.queue)));
  const place = (each) => (each.acknowledged_at ? 2 : 0) + (each.level === "late" ? 0 : 1);
  return list.sort((one, other) => place(one) - place(other) || one.raised_at - other.raised_at || one.id - other.id);
}

/* Those that nobody has acknowledged. */
export function unacknowledged(list) {
  return list.filter((each) => !each.acknowledged_at);
}

/* What is known to be open and unacknowledged: {list, isKnown}. isFresh: whether the readings of the queues are; poll: as the feed has
it. Once they are old the alerts that rest on none of them are known for as long as somebody goes on trying. */
export function knownOpen(docs, numbers, isFresh, poll, now) {
  const list = unacknowledged(openAlerts(docs, numbers));
  if (isFresh) return { list, isKnown: true };
  const isKnown = isTried(poll, now);
  return { list: isKnown ? list.filter((each) => !OF_READINGS.includes(each.kind)) : [], isKnown };
}

/* The numbers of the queues that a board of this layout is about; null means all of them. */
export function numbersOf(layout) {
  if (!layout.cards) {
    const isAboutQueues = layout.sections.some((section) => section === "queues" || section === "totals");
    return isAboutQueues ? layout.queues && new Set(layout.queues) : new Set();
  }
  const isAbout = (card) => QUEUE_KINDS.includes(card.kind) && !OF_PEOPLE.includes(card.figure);
  const cards = layout.cards.filter((card) => card.queues || isAbout(card));
  if (cards.some((card) => !card.queues)) return null;
  return new Set(cards.reduce((numbers, card) => numbers.concat(card.queues), []));
}

/* The numbers of the queues that an alert is open for. */
export function queuesWithAlerts(docs) {
  return new Set(Array.from(docs.values(), (each) => each.queue));
}

/* What is wrong: "Late", or the words of its kind. */
export function wordOf(each, texts) {
  return (texts.kinds[each.kind] || {}).word || texts.levels[each.level] || each.level;
}

export function whyOf(each, texts) {
  const { why } = texts.kinds[each.kind] || { why: texts.reasons };
  return fill(why[each.reason] || why[""], each.facts || {});
}

/* name: of what it is about, "" for the company. */
export function titleOf(each, texts, name) {
  return fill(name ? texts.title : "{level}", { level: wordOf(each, texts), name });
}
