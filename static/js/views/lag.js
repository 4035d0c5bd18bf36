/* How long news of calls take from the server that received them to this page: the middle of the last few. */

import { LOCALE } from "../lib/format.js";

const KEPT = 20;
const ABOUT_CALLS = ["calls", "wall", "people"];
const seconds = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

export class Lag {
  /** Listens to what the socket hears, before the page does. */
  constructor(socket) {
    this.socket = socket;
    this.newest = 0;
    this.took = [];
    ABOUT_CALLS.forEach((feed) => this.hear(socket.store.docs(feed), null));
    const tell = socket.onNews;
    socket.onNews = (feed, keys) => {
      if (ABOUT_CALLS.includes(feed)) this.hear(this.socket.store.docs(feed), keys);
      tell(feed, keys);
    };
  }

  /** Only what is newer than anything before tells a time; a snapshot (no keys) tells how new that is. */
  hear(documents, keys) {
    const since = (keys || Array.from(documents.keys())).map((key) => (documents.get(key) || {}).since || 0);
    const newest = since.reduce((a, b) => Math.max(a, b), 0);
    if (newest <= this.newest) return;
    this.newest = newest;
    if (!keys || !this.socket.offsets.length) return;
    this.took.push(Math.max(0, this.socket.serverNow() - newest));
    if (this.took.length > KEPT) this.took.shift();
  }

  /** The middle one in seconds, as a reader writes it; "" before the first. Never below 0.1: clocks agree no better. */
  get texts() {
    if (!this.took.length) return "";
    const sorted = this.took.slice().sort((a, b) => a - b);
    return seconds.format(Math.max(0.1, sorted[Math.floor(sorted.length / 2)] / 1000));
  }
}
