// What the feeds hold, as the frames told it. Knows no page and no socket.

export class Store {
  constructor() {
    this.feeds = new Map();
  }

  // The documents of a feed, key -> value; empty for a feed that was never heard of.
  docs(feed) {
    const held = this.feeds.get(feed);
    return held ? held.documents : new Map();
  }

  // Whether the feed's whole content has arrived at least once.
  isKnown(feed) {
    return this.feeds.has(feed);
  }

  // [feed, entry id] of every feed, to go on from there after a reconnect.
  positions() {
    return Array.from(this.feeds, ([feed, held]) => [feed, held.id]);
  }

  // Take a frame. Gives the changed keys, null after a snapshot, or undefined where frames are missing in between.
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
    for (const key of frame.del) {
      held.documents.delete(key);
    }
    for (const [key, value] of Object.entries(frame.set)) {
      held.documents.set(key, value);
    }
    return Object.keys(frame.set).concat(frame.del);
  }

  // Forget a feed, so that the next connection brings it whole.
  forget(feed) {
    this.feeds.delete(feed);
  }
}
