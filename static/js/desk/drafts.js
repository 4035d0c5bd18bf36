// Note texts that the server has not confirmed yet, kept in the browser for one person; other tabs see them too.

const KEPT_MS = 30 * 86_400_000;

export class Drafts {
  #prefix;

  constructor(person) {
    this.#prefix = `desk.note.${person}.`;
  }

  /** {leg, text, stamp}, or null. */
  get(call) {
    try {
      return JSON.parse(localStorage.getItem(this.#prefix + call));
    } catch {
      return null;
    }
  }

  set(call, draft) {
    try {
      localStorage.setItem(this.#prefix + call, JSON.stringify(draft));
    } catch {
      // a full or forbidden storage must not stop the typing; the text still goes to the server
    }
  }

  /** The server has the text of this stamp; a newer one stays. */
  drop(call, stamp) {
    const draft = this.get(call);
    if (draft && draft.stamp <= stamp) {
      localStorage.removeItem(this.#prefix + call);
    }
  }

  /** Everything a closed tab or a lost connection left behind. */
  all() {
    const calls = Object.keys(localStorage)
      .filter((key) => key.startsWith(this.#prefix))
      .map((key) => key.slice(this.#prefix.length));
    return calls.map((call) => [call, this.get(call)]).filter(([, draft]) => draft !== null);
  }

  /** Send what was left behind; what the server refuses for good is dropped after a month. */
  async deliver(server) {
    for (const [call, draft] of this.all()) {
      try {
        const kept = await server.post("note", draft);
        this.drop(call, kept.stamp);
      } catch {
        if (Date.now() - draft.stamp > KEPT_MS) {
          this.drop(call, draft.stamp);
        }
      }
    }
  }
}
