// The connection to the server: it comes back by itself, goes on where it stopped, and knows when it hears nothing.
// It knows no page: news and status go to the two functions it was given.

import { Store } from "./store.js";

const SILENT_MS = 25000; // the server speaks at least every 15 s
const OPENING_MS = 15000;
const LOOK_MS = 1000;
const SLEPT_MS = 8000; // a timer of one second that comes this late: the machine slept
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 6000; // times 1.5 at most: every page is back within ten seconds of its server
export const SENT_AWAY = [4401, 4403, 4404]; // close codes: signed out or revoked, not allowed, no such board
const OFFSETS_KEPT = 12;

// Where a frame of ours would be missing, the whole feed is asked for anew.
export class LiveSocket {
  constructor(query, listeners) {
    this.query = query;
    this.onNews = listeners.onNews;
    this.onStatus = listeners.onStatus;
    this.onOrder = null; // a TV's page sets it: what the server tells this screen to do
    this.store = new Store();
    this.release = "";
    this.offsets = [];
    this.offsetsAreOld = false;
    this.socket = null;
    this.closedCode = 0;
    this.isOver = false;
    this.failures = 0;
    this.heardAt = Date.now();
    this.lookedAt = Date.now();
    this.deafSince = null;
    this.retryAt = 0;
    this.told = "";
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

  // Milliseconds since 1970 by the server's clock.
  serverNow() {
    return Date.now() + (this.offsets.length ? Math.max.apply(null, this.offsets) : 0);
  }

  // isSilent: nothing was heard for too long, or the server itself hears no news; what is shown may be old.
  get status() {
    const heardAgoMs = Math.max(0, Date.now() - this.heardAt);
    return {
      open: this.socket !== null && this.socket.readyState === WebSocket.OPEN,
      heardAgoMs,
      isSilent: heardAgoMs > SILENT_MS || this.deafSince !== null,
      silentSince: this.deafSince === null ? this.heardAt + this.serverNow() - Date.now() : this.deafSince,
      closedCode: this.closedCode,
      release: this.release,
    };
  }

  connect() {
    this.drop();
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const held = this.store.positions().map(([feed, id]) => "&last=" + encodeURIComponent(feed + ":" + id));
    const socket = new WebSocket(scheme + "//" + location.host + "/live/?" + this.query + held.join(""));
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

  hearFeed(frame) {
    const keys = this.store.apply(frame);
    if (keys === undefined) {
      this.store.forget(frame.feed);
      this.retryIn(Math.random() * 1000);
    } else {
      this.onNews(frame.feed, keys);
    }
  }

  // A ping can only be late, never early: the largest offset of the last few is the one that travelled fastest.
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
  }

  closed(code) {
    this.socket = null;
    this.closedCode = code;
    if (SENT_AWAY.includes(code)) {
      this.isOver = true;
    } else if (this.byeSeconds || code === 1012) {
      this.retryIn((this.byeSeconds || 5) * 1000 * (0.5 + Math.random()));
    } else {
      const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * Math.pow(2, this.failures));
      this.retryIn(wait * (0.5 + Math.random()));
    }
    this.byeSeconds = 0;
    this.failures += 1;
    this.tellStatus();
  }

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

  isStuck(now) {
    if (this.socket.readyState === WebSocket.CONNECTING) {
      return now - this.openedAt > OPENING_MS;
    }
    return now - Math.max(this.heardAt, this.openedAt) > SILENT_MS;
  }

  // The machine slept, the tab was put aside, or somebody set the clock: the next ping alone tells the offset, and a
  // moment that now lies in the future must not make old news look fresh.
  timeJumped(now) {
    this.offsetsAreOld = true;
    this.heardAt = Math.min(this.heardAt, now);
    this.openedAt = Math.min(this.openedAt, now);
    this.retryAt = Math.min(this.retryAt, now);
  }

  // The page is looked at again, or the network is back: do not wait for the next try.
  wake() {
    if (this.isOver || document.visibilityState === "hidden") {
      return;
    }
    const isQuiet = Date.now() - this.heardAt > SILENT_MS / 2;
    if (this.socket === null || (isQuiet && Date.now() - this.openedAt > 3000)) {
      this.connect();
    }
    this.tellStatus();
  }

  // Only when something changed that can be seen; ages are the page's own to count.
  tellStatus() {
    const status = this.status;
    const said = [status.open, status.isSilent, status.closedCode, status.release, this.isOver].join();
    if (said !== this.told) {
      this.told = said;
      this.onStatus(status);
    }
  }
}
