// Note texts that the server has not confirmed yet, kept in the browser for one person; other tabs see them too.

const KEPT_MS = 30 * 86_400_000;

export class Drafts {
  #prefix;

  constructor(person) {
    this.#prefix = `desk.note.${person}.`;
  }

  /** {leg, text, stamp, outcome, contact, known}, or null; `known` are the stamps of what it may replace. */
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
        let kept = await server.post("note", draft);
        if (!kept.is_yours && isForeign(kept, draft)) {
          kept = await server.post("note", joined(draft, kept));
        }
        if (kept.is_yours || !isForeign(kept, draft)) {
          this.drop(call, draft.stamp);
        }
      } catch {
        if (Date.now() - draft.stamp > KEPT_MS) {
          this.drop(call, draft.stamp);
        }
      }
    }
  }
}

/** Whether what is stored was written elsewhere, and not seen by whoever typed this draft. */
export function isForeign(stored, draft) {
  return draft.known !== undefined && stored.stamp !== draft.stamp && !draft.known.includes(stored.stamp);
}

/** The draft with what is stored: both texts, and of outcome and contact what was chosen last. */
export function joined(draft, stored) {
  const [last, first] = stored.stamp > draft.stamp ? [stored, draft] : [draft, stored];
  return {
    ...draft,
    text: bothOf(stored.text, draft.text),
    stamp: last.stamp + 1,
    outcome: last.outcome ?? first.outcome,
    contact: last.contact ?? first.contact,
    known: [stored.stamp],
  };
}

function bothOf(stored, typed) {
  if (stored.includes(typed)) {
    return stored;
  }
  return typed.includes(stored) ? typed : `${stored}\n${typed}`;
}
