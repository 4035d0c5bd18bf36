// Stretches of a day's recording: fetched where the replay comes to rest, then around it, and kept while there is room.

import { getJson } from "../lib/requests.js";

const STRETCH_MS = 600000;
const MINUTE_MS = 60000;
const NEAR_MS = 3 * MINUTE_MS; // from the minute in which the replay stands: there even where no room is left
const MOST_DOCUMENTS = 100000; // that are kept: a day of six queues has fewer, a busy hour of 500 several times as many
const REST_MS = 250; // that the replay stands still before anything is fetched: whoever drags passes by
const QUIET_MS = 100; // between two stretches that nobody waits for
const REFUSED = [401, 403, 404]; // asking again changes nothing
const AGAIN_MS = 5000; // until the next try after one that failed

/** @typedef {import("./source.js").Chunk} Chunk */

export class Stretches {
  /**
   * @param {string} address
   * @param {{begin: number, end: number, gaps: {begin: number, end: number}[]}} day
   * @param {() => void} onNews hears that a stretch has come, or cannot be had
   */
  constructor(address, day, onNews) {
    this.address = address;
    this.day = day;
    this.onNews = onNews;
    /** @type {Chunk[]} */
    this.held = [];
    this.at = 0; // nowhere yet
    this.status = 200; // of the answer that came last, 0 without connection
    this.isFetching = false;
    this.isOver = false;
    this.timer = 0;
  }

  /**
   * The stretch that this moment lies in, once it is there; asks for it, and for what lies around it.
   * @param {number} at
   * @returns {Chunk | undefined}
   */
  want(at) {
    const found = this.of(at);
    const isElsewhere = found ? this.minute(at) !== this.minute(this.at) : at !== this.at;
    this.at = at;
    if (isElsewhere && !this.isFailing) this.later(found ? QUIET_MS : REST_MS);
    return found;
  }

  get isFailing() {
    return this.status !== 200;
  }

  again() {
    this.status = 200;
    this.fetch();
  }

  /** Another day is shown. */
  close() {
    this.isOver = true;
    clearTimeout(this.timer);
  }

  /** @param {number} at */
  of(at) {
    return this.held.find((each) => each.from <= at && at < each.until);
  }

  /** @param {number} ms */
  later(ms) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.fetch(), ms);
  }

  async fetch() {
    clearTimeout(this.timer);
    const wanted = this.isFetching || this.isOver ? null : this.next();
    if (!wanted) return;
    this.isFetching = true;
    const answer = await getJson(`${this.address}?from=${wanted.from}&until=${wanted.until}`);
    this.isFetching = false;
    if (this.isOver) return;
    this.status = answer.ok && answer.body && answer.body.until > wanted.from ? 200 : answer.status === 200 ? 500 : answer.status;
    if (!this.isFailing) this.keep(answer.body);
    this.onNews();
    if (REFUSED.includes(this.status)) return;
    this.later(this.isFailing ? AGAIN_MS : this.of(this.at) ? QUIET_MS : REST_MS);
  }

  /* Where the replay stands comes first, from its minute on, then what is nearest, rather ahead than behind, while there is room. */
  next() {
    const from = this.minute(this.at);
    const near = missing(this.held, { from, until: Math.min(from + NEAR_MS, this.day.end) });
    if (near || this.count() >= MOST_DOCUMENTS) return near;
    const slots = [];
    for (let begin = this.day.begin; begin < this.day.end; begin += STRETCH_MS) slots.push(begin);
    const distance = (/** @type {number} */ begin) => (begin > this.at ? begin - this.at : 2 * (this.at - begin));
    slots.sort((one, other) => distance(one) - distance(other));
    for (const begin of slots) {
      const found = this.lacking(this.slot(begin));
      if (found) return found;
    }
    return null;
  }

  /**
   * What is missing of a slot; null also where nothing of it was recorded.
   * @param {{from: number, until: number}} slot
   */
  lacking(slot) {
    const isKnown = !this.day.gaps.some((gap) => gap.begin <= slot.from && slot.until <= gap.end);
    return isKnown ? missing(this.held, slot) : null;
  }

  /** @param {number} at */
  minute(at) {
    return at - ((at - this.day.begin) % MINUTE_MS);
  }

  /** @param {number} begin */
  slot(begin) {
    return { from: begin, until: Math.min(begin + STRETCH_MS, this.day.end) };
  }

  /** @param {Chunk} stretch */
  keep(stretch) {
    this.held.push(stretch);
    const distance = (/** @type {Chunk} */ each) => Math.abs(each.from - this.at);
    while (this.held.length > 1 && this.count() > MOST_DOCUMENTS + documentsIn(stretch)) {
      const far = this.held.reduce((most, each) => (distance(each) > distance(most) ? each : most));
      this.held.splice(this.held.indexOf(far), 1);
    }
  }

  count() {
    return this.held.reduce((sum, each) => sum + documentsIn(each), 0);
  }
}

/** @type {WeakMap<Chunk, number>} */
const counted = new WeakMap();

/**
 * How many documents a stretch tells: its size, as one change may be one call or all queues.
 * @param {Chunk} stretch
 */
function documentsIn(stretch) {
  let found = counted.get(stretch);
  if (found === undefined) {
    const told = stretch.changes.map((change) => change.set || change.snapshot || {}).concat(Object.values(stretch.feeds));
    found = told.reduce((sum, documents) => sum + Object.keys(documents || {}).length, 0);
    counted.set(stretch, found);
  }
  return found;
}

/**
 * What of the slot is not held, from its begin on until the next that is; null where nothing is missing. An answer may end before
 * what was asked for.
 * @param {{from: number, until: number}[]} held
 * @param {{from: number, until: number}} slot
 */
export function missing(held, slot) {
  let { from } = slot;
  for (;;) {
    const piece = held.find((each) => each.from <= from && from < each.until);
    if (!piece) return { from, until: held.reduce((until, each) => (each.from > from ? Math.min(until, each.from) : until), slot.until) };
    if (piece.until >= slot.until) return null;
    from = piece.until;
  }
}
