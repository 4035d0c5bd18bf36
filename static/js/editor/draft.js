// Keeps the draft on the server: saves by itself, hears of others, publishes and discards. Knows no DOM.

import { getJson, postJson, request } from "../lib/requests.js";
import { newId, same } from "./values.js";

const QUIET_MS = 700;
const RETRY_MS = 3000;
const LOOK_MS = 3000;
const MOST_ALIVE_BYTES = 60000; // browsers let a page that closes send this much

export class Draft {
  /** on: {status(name, values), theirs(base, state), editors(names, me), gone()}. */
  constructor({ state, urls, csrf }, on) {
    this.held = state; // what the server is known to have
    this.content = state.content;
    this.agreed = state.content; // the content that the server and this page agree on
    this.urls = urls;
    this.csrf = csrf;
    this.on = on;
    this.tab = newId(16);
    this.others = [];
    this.timer = null;
    this.busy = null;
    this.hasFailed = false;
    this.isAsking = false; // a conflict waits for its answer: nothing is saved meanwhile
    this.mustSave = Boolean(state.base);
    this.looking = setInterval(() => this.look(), LOOK_MS);
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.look());
  }

  get isDirty() {
    return this.mustSave || !same(this.content, this.agreed);
  }

  /** The board as it is on the page now. */
  change(content) {
    this.content = content;
    if (this.isDirty) this.on.status("saving", {});
    this.saveIn(QUIET_MS);
  }

  saveIn(ms) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), ms);
  }

  /** Save what is not saved; resolves to whether everything is. */
  save() {
    clearTimeout(this.timer);
    return this.inTurn(() => this.flush());
  }

  /** One thing at a time: what is sent must know what the answer before it was. */
  inTurn(act) {
    const own = (this.busy || Promise.resolve()).then(act).finally(() => {
      if (this.busy === own) this.busy = null;
    });
    this.busy = own;
    return own;
  }

  async flush() {
    while (this.isDirty && !this.isAsking) {
      this.on.status("saving", {});
      const content = this.content;
      const { version, board_version } = this.held;
      const answer = await this.post("draft", { content, version, board_version });
      this.hasFailed = !answer.ok && answer.status !== 409;
      if (answer.ok) this.agree(answer.state, content);
      else if (answer.status === 409) this.take(answer.state);
      else return this.failed(answer);
    }
    if (!this.isAsking) this.tell();
    return !this.isAsking;
  }

  failed(answer) {
    if (answer.status === 400) this.on.status("refused", { why: answer.error });
    else if (answer.status === 404) this.on.gone();
    else {
      this.on.status(answer.status === 401 || answer.status === 403 ? "signed_out" : "not_saved", {});
      this.saveIn(RETRY_MS);
    }
    return false;
  }

  agree(state, content) {
    this.held = state;
    this.agreed = content; // as the page has it: the server's form may differ in a space, and someone may be typing
    this.mustSave = Boolean(state.base);
  }

  /** Others were faster: what they left becomes what our next save builds on, once both are merged. */
  take(state) {
    const base = this.agreed;
    this.agree(state, state.content);
    this.on.theirs(base, state);
  }

  /** Put the draft onto open boards; resolves to whether it was. */
  async publish() {
    if (!(await this.save())) return false;
    return this.inTurn(async () => {
      if (!this.held.is_draft) return true;
      this.on.status("publishing", {});
      const answer = await this.post("publish", { version: this.held.version });
      // What was changed meanwhile is not published and stays to be saved.
      return this.settle(answer, this.agreed, "now_published");
    });
  }

  /** Go back to what is published; resolves to whether that was done. */
  discard() {
    clearTimeout(this.timer);
    return this.inTurn(async () => {
      const answer = await this.post("discard", { version: this.held.version });
      if (answer.ok) this.content = answer.state.content;
      return this.settle(answer, this.content, "discarded");
    });
  }

  settle(answer, agreed, word) {
    if (answer.ok) {
      this.agree(answer.state, agreed);
      this.on.status(word, {});
      return true;
    }
    if (answer.status !== 409) return this.failed(answer);
    this.take(answer.state);
    this.saveIn(0);
    return false;
  }

  tell() {
    const { is_draft, saved_ms, saved_by } = this.held;
    this.on.status(is_draft ? "saved" : "published", { at: saved_ms, name: saved_by });
  }

  /** Say that this page is here, and hear whether others are and what they did. */
  async look() {
    if (document.visibilityState === "hidden" || this.busy || this.isAsking) return;
    const { version, board_version } = this.held;
    const asked = new URLSearchParams({ tab: this.tab, version, board_version });
    const answer = flat(await getJson(`${this.urls.draft}?${asked}`));
    if (answer.status === 404) this.on.gone();
    if (!answer.ok || !answer.editors || this.busy || this.isAsking) return;
    this.others = answer.editors;
    this.csrf = answer.csrf || this.csrf; // another one since somebody signed in again in another tab
    this.on.editors(answer.editors, answer.me);
    const isNewer = answer.state && answer.state.version >= this.held.version && version === this.held.version;
    if (isNewer) this.take(answer.state);
    if (this.isDirty && !this.isAsking) this.saveIn(0);
    else if (isNewer) this.tell();
  }

  /** The page closes: send what is unsaved. False where that may lose something, so that the page had better warn. */
  leave() {
    const body = JSON.stringify({ content: this.content, version: this.held.version, board_version: this.held.board_version });
    const isQuiet = !this.isAsking && !this.hasFailed && !this.busy && !this.others.length;
    const isSafe = !this.isDirty || (isQuiet && body.length < MOST_ALIVE_BYTES);
    if (isSafe && this.isDirty) this.post("draft", JSON.parse(body), true);
    return isSafe;
  }

  sayGoodbye() {
    const asked = new URLSearchParams({ tab: this.tab, leave: "1" });
    request(`${this.urls.draft}?${asked}`, { keepalive: true });
  }

  async post(name, body, keepalive = false) {
    return flat(await postJson(this.urls[name], body, this.csrf, keepalive));
  }
}

/* {ok, status} and what the answer holds. */
function flat({ ok, status, body }) {
  return { ...body, ok, status };
}
