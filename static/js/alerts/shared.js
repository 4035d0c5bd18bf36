/* The open alerts for pages that do not follow them: one tab of the browser has the socket and tells the others. */
import { LiveSocket, SENT_AWAY } from "../live/socket.js";
import { ofQueues } from "../views/freshness.js";
import { knownOpen } from "./list.js";
import { Turn } from "./turn.js";

const TELL_MS = 5000;
const OLD_MS = 75000; // timers of hidden tabs may run once a minute

const NOTHING = { list: [], isKnown: false, at: 0 };

export class SharedAlerts {
  /* whose: a person's id, as two may use a browser one after the other. */
  constructor(whose) {
    this.latest = NOTHING;
    this.socket = null;
    this.turn = null;
    this.channel = "BroadcastChannel" in window ? new BroadcastChannel("wallboard-alerts-" + whose) : null;
    if (this.channel) this.channel.onmessage = (event) => this.hear(event.data);
    if (this.channel && navigator.locks) {
      this.turn = new Turn("wallboard-alerts-" + whose, () => this.follow());
      this.turn.want(true);
      this.channel.postMessage("ask");
    } else {
      this.follow();
    }
  }

  /* {list, isKnown}: as the tab with the socket said it last. */
  get now() {
    const age = Date.now() - this.latest.at;
    return { list: this.latest.list, isKnown: this.latest.isKnown && (this.socket !== null || age < OLD_MS) };
  }

  /* With which the server closed the socket of this tab; 0 while it is open, or another tab's. */
  get closedCode() {
    return this.socket ? this.socket.closedCode : 0;
  }

  hear(message) {
    if (message === "ask") this.tell();
    else if (!this.socket) this.latest = message;
  }

  follow() {
    const later = () => queueMicrotask(() => this.tell()); // the socket speaks of itself before it is ours
    this.socket = new LiveSocket("alerts=1", { onNews: later, onStatus: later });
    setInterval(() => this.tell(), TELL_MS);
  }

  tell() {
    if (!this.socket) return;
    if (SENT_AWAY.includes(this.closedCode)) return this.leave();
    const store = this.socket.store;
    const isSilent = this.socket.isSilentAbout("queues") || this.socket.isSilentAbout("alerts");
    const now = this.socket.serverNow();
    const poll = store.docs("queues").get("poll");
    const fresh = ofQueues(poll, now, false);
    const isTold = store.isKnown("alerts") && !isSilent;
    const found = isTold ? knownOpen(store.docs("alerts"), null, fresh.isKnown, poll, now) : NOTHING;
    this.latest = Object.assign({}, found, { at: Date.now() });
    if (this.channel) this.channel.postMessage(this.latest);
  }

  /* The next tab sees for itself whether it is signed in: somebody may have signed in again there. */
  leave() {
    this.latest = NOTHING;
    if (this.turn) this.turn.want(false);
  }
}
