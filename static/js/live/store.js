// What the feeds hold, as the frames told it. Knows no page and no socket.

/**
 * One frame of the socket about a feed, as docs/architecture.md has it: a snapshot, or what changed since entry `prev`.
 * @typedef {object} Frame
 * @property {string} feed
 * @property {string} id
 * @property {Record<string, any>} [snapshot]
 * @property {string} [prev]
 * @property {Record<string, any>} [set]
 * @property {string[]} [del]
 */

export class Store {
  constructor() {
    /** @type {Map<string, {id: string, documents: Map<string, any>}>} */
    this.feeds = new Map();
  }

  /**
   * The documents of a feed, key -> value; empty for a feed that was never heard of.
   * @param {string} feed
   * @returns {Map<string, any>}
   */
  docs(feed) {
    const held = this.feeds.get(feed);
    return held ? held.documents : new Map();
  }

  /**
   * Whether the feed's whole content has arrived at least once.
   * @param {string} feed
   */
  isKnown(feed) {
    return this.feeds.has(feed);
  }

  /**
   * [feed, entry id] of every feed, to go on from there after a reconnect.
   * @returns {[string, string][]}
   */
  positions() {
    return Array.from(this.feeds, ([feed, held]) => [feed, held.id]);
  }

  /**
   * Take a frame. Gives the changed keys, null after a snapshot, or undefined where frames are missing in between.
   * @param {Frame} frame
   * @returns {string[] | null | undefined}
   */
  apply(frame) {
    if (frame.snapshot) {
      this.feeds.set(frame.feed, { id: frame.id, documents: new Map(Object.entries(frame.snapshot)) });
      return null;
    }
    const held = this.feeds.get(frame.feed);
    if (!held || held.id !== frame.prev) {
      return undefined;
    }
    held.id = frame.id;
    const { set = {}, del = [] } = frame;
    for (const key of del) {
      held.documents.delete(key);
    }
    const keys = Object.keys(set);
    for (const key of keys) {
      held.documents.set(key, set[key]);
    }
    return keys.concat(del);
  }

  /**
   * Forget a feed, so that the next connection brings it whole.
   * @param {string} feed
   */
  forget(feed) {
    this.feeds.delete(feed);
  }
}
