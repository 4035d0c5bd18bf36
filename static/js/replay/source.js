// Stands in for the live socket: what the feeds held at a moment of the past, by the clock of that moment.

/**
 * What the feeds held at `from`, and every change until `until`; all moments in ms. A feed that is null is not known.
 * @typedef {Record<string, any>} Documents by key
 * @typedef {{at: number, feed: string, unknown?: boolean, snapshot?: Documents, set?: Documents, del?: string[]}} Change
 * @typedef {{from: number, until: number, feeds: Record<string, Documents | null>, changes: Change[]}} Chunk
 */

export class ReplaySource {
  constructor() {
    this.at = 0;
    this.done = 0; // of the chunk's changes
    /** @type {Chunk | null} */
    this.chunk = null;
    /** @type {Map<string, Map<string, any> | null>} */
    this.feeds = new Map();
    /** @type {Map<string, number>} since when a feed has not been known */
    this.unknown = new Map();
    this.store = {
      docs: (/** @type {string} */ feed) => this.feeds.get(feed) || new Map(),
      isKnown: (/** @type {string} */ feed) => Boolean(this.feeds.get(feed)),
    };
  }

  /**
   * To that moment, which lies in the chunk.
   * @param {Chunk} chunk
   * @param {number} at
   */
  moveTo(chunk, at) {
    if (chunk !== this.chunk || at < this.at) this.begin(chunk);
    this.at = at;
    while (this.done < chunk.changes.length && chunk.changes[this.done].at <= at) {
      this.apply(chunk.changes[this.done]);
      this.done += 1;
    }
  }

  /** @param {Chunk} chunk */
  begin(chunk) {
    this.chunk = chunk;
    this.done = 0;
    this.feeds.clear();
    for (const [feed, documents] of Object.entries(chunk.feeds)) this.hold(feed, documents, chunk.from);
  }

  /** @param {Change} change */
  apply({ at, feed, unknown, snapshot, set = {}, del = [] }) {
    const held = this.feeds.get(feed);
    if (unknown || snapshot || !held) {
      this.hold(feed, unknown ? null : snapshot || set, at);
      return;
    }
    for (const key of del) held.delete(key);
    for (const [key, document] of Object.entries(set)) held.set(key, document);
  }

  /**
   * @param {string} feed
   * @param {Documents | null} documents
   * @param {number} at
   */
  hold(feed, documents, at) {
    if (!documents) this.unknown.set(feed, at);
    else this.unknown.delete(feed);
    this.feeds.set(feed, documents && new Map(Object.entries(documents)));
  }

  /* As LiveSocket has it: nothing here is silent as a whole, a feed may be. */
  get status() {
    const doubted = Array.from(this.feeds)
      .filter((each) => !each[1])
      .map((each) => each[0]);
    const since = doubted.map((feed) => this.unknown.get(feed) || this.at);
    return { open: true, heardAgoMs: 0, isSilent: false, silentSince: Math.min(this.at, ...since), doubted, closedCode: 0, release: "" };
  }

  serverNow() {
    return this.at;
  }
}
