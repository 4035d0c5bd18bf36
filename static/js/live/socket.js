// The connection to the server: it comes back by itself, goes on where it stopped, and knows when it hears nothing.
// It knows no page: news and status go to the two functions it was given.

import { Store } from "./store.js";

// Nothing counts as live longer than 12 s after its last proof (one second goes by between two looks). The server
// speaks every 4 s and says how old the proof is that what it sends is true.
const PROOF_MS = 11000;
const QUIET_MS = 16000; // after so long without a word another connection is tried
const OPENING_MS = 15000;
const LOOK_MS = 1000;
const SLEPT_MS = 8000; // a timer of one second that comes this late: the machine slept
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 6000; // times 1.5 at most: every page is back within ten seconds of its server
export const SENT_AWAY = [4401, 4403, 4404]; // close codes: signed out or revoked, not allowed, no such board
const CHANGED = 4409; // close code: what this page may see, or what it is written with, is not what it was
const OFFSETS_KEPT = 12;
/** @type {string[]} */
const NONE = [];

/** @typedef {LiveSocket["status"]} Status */
/**
 * keys: those that changed, or null after a snapshot of the feed.
 * @typedef {{onNews: (feed: string, keys: string[] | null) => void, onStatus: (status: Status) => void}} Listeners
 */

// Where a frame of ours would be missing, the whole feed is asked for anew.
export class LiveSocket {
  /**
   * @param {string} query what this page follows, as docs/architecture.md has it: "board=main"
   * @param {Listeners} listeners
   * @param {string[]} [protocols] subprotocols to offer: how a frame on another site says which link it has
   */
  constructor(query, listeners, protocols) {
    this.query = query;
    this.protocols = protocols || [];
    this.onNews = listeners.onNews;
    this.onStatus = listeners.onStatus;
    /** @type {((order: any) => void) | null} */
    this.onOrder = null; // a TV's page sets it: what the server tells this screen to do
    this.store = new Store();
    this.release = "";
    /** @type {number[]} */
    this.offsets = []; // ms by which the server's clock is ahead, as the last pings showed
    this.offsetsAreOld = false;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.openedAt = 0;
    this.byeSeconds = 0; // the server goes away for so long
    this.closedCode = 0;
    this.isOver = false;
    this.hasChanged = false; // the page has to be loaded anew; so from then on, whatever the next connection brings
    this.failures = 0;
    this.heardAt = Date.now();
    this.provedAt = this.heardAt;
    this.doubts = new Map(); // feed -> when it was last known to be whole, where the server itself is not sure
    this.awaited = new Map(); // the same for feeds that are held from an earlier connection, until they are heard anew
    this.lookedAt = Date.now();
    /** @type {number | null} */
    this.deafSince = null;
    this.retryAt = 0;
    this.lastStatus = "";
    this.onWake = () => this.wake();
    document.addEventListener("visibilitychange", this.onWake);
    window.addEventListener("online", this.onWake);
    window.addEventListener("pageshow", this.onWake);
    this.timer = setInterval(() => this.look(), LOOK_MS);
    this.connect();
  }

  // End it for good.
  close() {
    this.isOver = true;
    clearInterval(this.timer);
    document.removeEventListener("visibilitychange", this.onWake);
    window.removeEventListener("online", this.onWake);
    window.removeEventListener("pageshow", this.onWake);
    this.drop();
  }

  // Whether what is shown of this feed may be old.
  /** @param {string} feed */
  isSilentAbout(feed) {
    const status = this.status;
    return status.isSilent || status.doubted.includes(feed);
  }

  // Milliseconds since 1970 by the server's clock.
  serverNow() {
    return Date.now() + (this.offsets.length ? Math.max.apply(null, this.offsets) : 0);
  }

  // isSilent: the last proof is too old, or the server itself hears no news; what is shown may be old.
  // doubted: the feeds of which that is so while the others are proved.
  get status() {
    const heardAgoMs = Math.max(0, Date.now() - this.heardAt);
    return {
      open: this.socket !== null && this.socket.readyState === WebSocket.OPEN,
      heardAgoMs,
      isSilent: Date.now() - this.provedAt > PROOF_MS || this.deafSince !== null,
      silentSince: this.deafSince === null ? this.provedAt + this.serverNow() - Date.now() : this.deafSince,
      doubted: this.doubted(),
      closedCode: this.closedCode,
      release: this.release,
    };
  }

  doubted() {
    if (!this.doubts.size && !this.awaited.size) return NONE;
    const limit = Date.now() - PROOF_MS;
    return Array.from(this.doubts)
      .concat(Array.from(this.awaited))
      .filter((each) => each[1] < limit)
      .map((each) => each[0]);
  }

  connect() {
    this.drop();
    this.store.positions().forEach(([feed]) => {
      if (!this.awaited.has(feed)) this.awaited.set(feed, this.provedAt);
    });
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const held = this.store.positions().map(([feed, id]) => "&last=" + encodeURIComponent(feed + ":" + id));
    const socket = new WebSocket(scheme + "//" + location.host + "/live/?" + this.query + held.join(""), this.protocols);
    this.socket = socket;
    this.openedAt = Date.now();
    this.retryAt = 0;
    socket.onmessage = (message) => this.hear(message.data);
    socket.onclose = (event) => this.closed(event.code);
    this.tellStatus();
  }

  // Let go of the socket without hearing from it again; a half-open one may take minutes to close.
  drop() {
    const socket = this.socket;
    this.socket = null;
    if (socket) {
      socket.onmessage = socket.onclose = null;
      socket.close();
    }
  }

  /** @param {string} text */
  hear(text) {
    const frame = JSON.parse(text);
    this.heardAt = Date.now();
    this.failures = 0;
    this.closedCode = 0;
    if (frame.feed) {
      this.hearFeed(frame);
    } else if (frame.ping) {
      this.hearPing(frame);
    } else if (frame.bye) {
      this.byeSeconds = frame.bye;
    } else if (frame.order && this.onOrder) {
      this.onOrder(frame);
    }
    this.tellStatus();
  }

  /** @param {import("./store.js").Frame} frame */
  hearFeed(frame) {
    this.awaited.delete(frame.feed);
    const keys = this.store.apply(frame);
    if (keys === undefined) {
      this.store.forget(frame.feed);
      this.retryIn(Math.random() * 1000); // a gap is mostly everybody's: not all at once
    } else {
      this.onNews(frame.feed, keys);
    }
  }

  /**
   * A ping can only be late, never early: the largest offset of the last few is the one that travelled fastest.
   * @param {{ping: number, release: string, deaf_since?: number, proof_age?: any, doubts?: any}} frame
   */
  hearPing(frame) {
    if (this.offsetsAreOld) {
      this.offsets = [];
      this.offsetsAreOld = false;
    }
    this.offsets.push(frame.ping - Date.now());
    if (this.offsets.length > OFFSETS_KEPT) {
      this.offsets.shift();
    }
    this.release = frame.release;
    this.deafSince = frame.deaf_since || null;
    this.provedAt = Date.now() - (frame.proof_age || 0);
    this.doubts = new Map(Object.entries(frame.doubts || {}).map(([feed, age]) => [feed, Date.now() - age]));
  }

  /** @param {number} code */
  closed(code) {
    this.socket = null;
    this.closedCode = code;
    if (code === CHANGED) this.change();
    if (SENT_AWAY.includes(code)) {
      this.isOver = true;
    } else if (this.byeSeconds || code === 1012) {
      // 1012 is what some servers close with when they are restarted without a word of ours.
      this.retryIn((this.byeSeconds || 5) * 1000 * (0.5 + Math.random()));
    } else {
      const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * Math.pow(2, this.failures));
      this.retryIn(wait * (0.5 + Math.random()));
    }
    this.byeSeconds = 0;
    this.failures += 1;
    this.tellStatus();
  }

  // Nothing is kept of what this page may see no longer.
  change() {
    this.hasChanged = true;
    this.store.positions().forEach(([feed]) => this.store.forget(feed));
    this.awaited.clear();
  }

  /** @param {number} ms */
  retryIn(ms) {
    this.drop();
    this.retryAt = Date.now() + ms;
  }

  // Once a second, by the clock and not by counting: timers stop while a laptop sleeps and are slowed in hidden tabs.
  look() {
    const now = Date.now();
    if (now - this.lookedAt > SLEPT_MS || now < this.lookedAt) {
      this.timeJumped(now);
    }
    this.lookedAt = now;
    if (this.isOver) {
      return;
    }
    if (this.socket === null) {
      if (now >= this.retryAt) {
        this.connect();
      }
    } else if (this.isStuck(now)) {
      this.failures += 1;
      this.connect();
    }
    this.tellStatus();
  }

  /** @param {number} now */
  isStuck(now) {
    if (this.socket && this.socket.readyState === WebSocket.CONNECTING) {
      return now - this.openedAt > OPENING_MS;
    }
    return now - Math.max(this.heardAt, this.openedAt) > QUIET_MS;
  }

  /**
   * The machine slept, the tab was put aside, or somebody set the clock: the next ping alone tells the offset, and a
   * moment that now lies in the future must not make old news look fresh.
   * @param {number} now
   */
  timeJumped(now) {
    this.offsetsAreOld = true;
    this.heardAt = Math.min(this.heardAt, now);
    this.provedAt = Math.min(this.provedAt, now);
    this.doubts.forEach((at, feed) => this.doubts.set(feed, Math.min(at, now)));
    this.awaited.forEach((at, feed) => this.awaited.set(feed, Math.min(at, now)));
    this.openedAt = Math.min(this.openedAt, now);
    this.retryAt = Math.min(this.retryAt, now);
  }

  // The page is looked at again, or the network is back: do not wait for the next try.
  wake() {
    if (this.isOver || document.visibilityState === "hidden") {
      return;
    }
    const isQuiet = Date.now() - this.heardAt > QUIET_MS / 2;
    // A connection that is just being opened gets its time.
    if (this.socket === null || (isQuiet && Date.now() - this.openedAt > 3000)) {
      this.connect();
    }
    this.tellStatus();
  }

  // Only when something changed that can be seen; ages are the page's own to count.
  tellStatus() {
    const status = this.status;
    const summary = [status.open, status.isSilent, status.doubted, status.closedCode, status.release, this.isOver].join();
    if (summary !== this.lastStatus) {
      this.lastStatus = summary;
      this.onStatus(status);
    }
  }
}
