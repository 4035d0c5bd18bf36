// Single moments of a day's recording: what the replay shows where no stretch is there yet, and while somebody drags over the day.

import { getJson } from "../lib/requests.js";

const AT_ONCE = 2; // the server makes one while the browser draws the other
const MOST_DOCUMENTS = 30000; // that are kept: some twenty moments of 500 queues, and hundreds of a small company

/** @typedef {import("./source.js").Chunk} Chunk */

export class Stills {
  /**
   * @param {string} address
   * @param {(still: Chunk) => void} onNews hears of each that comes, unless one that was asked for later came before it
   */
  constructor(address, onNews) {
    this.address = address;
    this.onNews = onNews;
    /** @type {Chunk[]} those that were used last stand at the end */
    this.held = [];
    /** @type {Set<number>} the moments that were asked for */
    this.asked = new Set();
    /** @type {number | null} what is asked for once there is room */
    this.next = null;
    this.newest = 0; // of those that came, by number
    this.count = 0;
    this.isOver = false;
  }

  /**
   * The state of this moment, once it is there; what is asked for last comes first.
   * @param {number} at
   * @returns {Chunk | undefined}
   */
  want(at) {
    const found = this.held.find((each) => each.from === at);
    this.next = found || this.asked.has(at) ? null : at;
    if (found) this.keep(found);
    this.fetch();
    return found;
  }

  async fetch() {
    if (this.next === null || this.asked.size >= AT_ONCE || this.isOver) return;
    const at = this.next;
    const number = (this.count += 1);
    this.next = null;
    this.asked.add(at);
    const answer = await getJson(`${this.address}?at=${at}`);
    this.asked.delete(at);
    if (this.isOver) return;
    if (answer.ok && answer.body) this.take(answer.body, number);
    this.fetch();
  }

  /**
   * @param {Chunk} still
   * @param {number} number
   */
  take(still, number) {
    this.keep(still);
    if (number < this.newest) return;
    this.newest = number;
    this.onNews(still);
  }

  /** Another day is shown. */
  close() {
    this.isOver = true;
  }

  /** @param {Chunk} still */
  keep(still) {
    this.held = this.held.filter((each) => each !== still).concat(still);
    let sum = this.held.reduce((count, each) => count + size(each), 0);
    while (sum > MOST_DOCUMENTS && this.held.length > 1) sum -= size(/** @type {Chunk} */ (this.held.shift()));
  }
}

/** @param {Chunk} chunk */
function size(chunk) {
  return Object.values(chunk.feeds).reduce((sum, documents) => sum + Object.keys(documents || {}).length, 0);
}
