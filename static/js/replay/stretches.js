// Stretches of a day's recording: fetched where the replay stands, then around it, and kept while there is room.

import { getJson } from "../lib/requests.js";

const STRETCH_MS = 600000;
const MOST_CHANGES = 400000; // that are kept; a day of forty queues has fewer
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
    this.at = day.begin;
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
    this.at = at;
    const found = this.of(at);
    if (!found && !this.isFailing) this.fetch();
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
    const wait = this.isFailing ? AGAIN_MS : this.of(this.at) ? QUIET_MS : 0;
    this.timer = setTimeout(() => this.fetch(), wait);
  }

  /* Where the replay stands comes first, then what is nearest, rather ahead than behind. */
  next() {
    if (!this.of(this.at)) return missing(this.held, this.slot(this.at));
    if (this.count() >= MOST_CHANGES) return null;
    const slots = [];
    for (let begin = this.day.begin; begin < this.day.end; begin += STRETCH_MS) slots.push(begin);
    const distance = (/** @type {number} */ begin) => (begin > this.at ? begin - this.at : 2 * (this.at - begin));
    slots.sort((one, other) => distance(one) - distance(other));
    for (const begin of slots) {
      const slot = this.slot(begin);
      const isKnown = !this.day.gaps.some((gap) => gap.begin <= slot.from && slot.until <= gap.end);
      const found = isKnown && missing(this.held, slot);
      if (found) return found;
    }
    return null;
  }

  /** @param {number} at */
  slot(at) {
    const from = at - ((at - this.day.begin) % STRETCH_MS);
    return { from, until: Math.min(from + STRETCH_MS, this.day.end) };
  }

  /** @param {Chunk} stretch */
  keep(stretch) {
    this.held.push(stretch);
    const distance = (/** @type {Chunk} */ each) => Math.abs(each.from - this.at);
    while (this.held.length > 1 && this.count() > MOST_CHANGES + stretch.changes.length) {
      const far = this.held.reduce((most, each) => (distance(each) > distance(most) ? each : most));
      this.held.splice(this.held.indexOf(far), 1);
    }
  }

  count() {
    return this.held.reduce((sum, each) => sum + each.changes.length, 0);
  }
}

/**
 * What of the slot is not held, from its begin on; null where nothing is missing. An answer may end before what was asked for.
 * @param {{from: number, until: number}[]} held
 * @param {{from: number, until: number}} slot
 */
export function missing(held, slot) {
  let { from } = slot;
  for (;;) {
    const piece = held.find((each) => each.from <= from && from < each.until);
    if (!piece) return { from, until: slot.until };
    if (piece.until >= slot.until) return null;
    from = piece.until;
  }
}
