// Keeps what is typed: in the browser at once, on the server a moment later, until the server has said that it has it.

import { isForeign, joined } from "./drafts.js";
import { Refused } from "./server.js";
import { fill } from "../lib/format.js";

const PAUSE_MS = 600;
const RETRY_MS = 3_000;
const MOST_KNOWN = 100; // as many as the server takes

export class NoteKeeper {
  #field;
  #tell;
  #deps;
  #leg;
  #stamp = 0;
  // Stamps of what may stand on the server without a word that is not here: the confirmed one, and what was sent since.
  #known = [0];
  #timer = 0;
  #isSending = false;
  outcome = null;
  contact = null;

  /** deps: {server, drafts, texts, clock, now}; tell(text, isWorry) shows how saving goes. */
  constructor(field, tell, deps) {
    this.#field = field;
    this.#tell = tell;
    this.#deps = deps;
    field.addEventListener("input", () => this.#typed());
    field.addEventListener("blur", () => this.flush());
  }

  /** The card came, or came again: its text counts unless this browser holds a newer one that never arrived. */
  open(leg, call, note) {
    this.#leg = leg;
    this.call = call;
    const draft = this.#deps.drafts.get(call);
    if (this.#stamp > note.stamp || !this.isKept) {
      return;
    }
    const isUnsent = draft !== null && (draft.stamp > note.stamp || isForeign(note, draft));
    this.#known = (isUnsent && draft.known) || [note.stamp];
    this.#show(isUnsent ? draft : note);
    if (isUnsent) {
      this.flush();
    }
  }

  get isKept() {
    return this.#known[0] === this.#stamp;
  }

  get isEmpty() {
    return this.#field.value.trim() === "";
  }

  /** The person chose an outcome or a contact: {outcome} or {contact}, an id or null. It is kept as the text is. */
  choose(choice) {
    Object.assign(this, choice);
    this.#typed();
  }

  /** Send now what is not saved yet. `isLeaving`: the page may be gone before the answer comes. */
  flush({ isLeaving = false } = {}) {
    clearTimeout(this.#timer);
    if (!this.isKept && (isLeaving || !this.#isSending)) {
      this.#send(isLeaving);
    }
  }

  #typed() {
    this.#stamp = Math.max(Date.now(), this.#stamp + 1);
    this.#deps.drafts.set(this.call, this.#draft());
    this.#tell(this.#deps.texts.keeping, false);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), PAUSE_MS);
  }

  #draft() {
    const { outcome, contact } = this;
    return { leg: this.#leg, text: this.#field.value, stamp: this.#stamp, outcome, contact, known: this.#known };
  }

  #show({ text, stamp, outcome, contact }) {
    this.#field.value = text;
    this.#stamp = stamp;
    this.outcome = outcome ?? null;
    this.contact = contact ?? null;
  }

  async #send(keepalive) {
    const draft = this.#draft();
    if (!this.#known.includes(draft.stamp)) {
      const [confirmed, ...sent] = this.#known;
      this.#known = [confirmed, ...sent.slice(2 - MOST_KNOWN), draft.stamp];
    }
    this.#isSending = true;
    try {
      const kept = await this.#deps.server.post("note", draft, { keepalive });
      this.#isSending = false;
      this.#confirmed(kept);
    } catch (problem) {
      this.#isSending = false;
      this.#failed(problem);
    }
  }

  #confirmed(kept) {
    const { texts, clock, now, drafts } = this.#deps;
    if (!kept.is_yours && isForeign(kept, this.#draft())) {
      this.#join(kept);
      return;
    }
    const confirmed = Math.max(this.#known[0], kept.stamp);
    this.#known = [confirmed, ...this.#known.filter((each) => each > confirmed)];
    if (this.isKept) {
      drafts.drop(this.call, confirmed);
      this.#tell(fill(texts.kept, { time: clock(now()) }), false);
    } else {
      this.flush();
    }
  }

  /** The person wrote in another place too, or a program in their name: both texts stay. */
  #join(kept) {
    this.#known = [kept.stamp];
    this.#show(joined(this.#draft(), kept));
    this.#typed();
  }

  #failed(problem) {
    const isFinal = problem instanceof Refused && problem.status === 404;
    this.#tell(isFinal ? this.#deps.texts.too_late : this.#deps.texts.waiting_to_keep, true);
    if (!isFinal) {
      this.#timer = setTimeout(() => this.flush(), RETRY_MS);
    }
  }
}
