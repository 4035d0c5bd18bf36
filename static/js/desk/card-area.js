// The place of the large card: keeps a card for each call that this page shows, and shows the chosen one.
import { CardView } from "./card.js";

export class CardArea {
  #node;
  #deps;
  #cards = new Map();

  /** deps: what a CardView takes; acts: {close(call), ignore(call)}. */
  constructor(node, deps, acts) {
    this.#node = node;
    this.#deps = { ...deps, acts };
  }

  /** The element of the card that stands there; null where none does. */
  get shown() {
    return this.#node.firstElementChild;
  }

  get hasTyping() {
    return this.#node.ownerDocument.activeElement?.matches?.("#card-area textarea, #card-area input") ?? false;
  }

  /** entries: all calls that this page shows; chosen: the one that stands large, or undefined. */
  update(entries, chosen, now, asOf) {
    entries.forEach((entry) => this.#card(entry.call).update(entry, now, asOf));
    this.#forget(new Set(entries.map((entry) => entry.call)));
    const wanted = chosen ? this.#card(chosen.call).element : null;
    if (this.shown !== wanted) {
      this.#node.replaceChildren(...(wanted ? [wanted] : []));
    }
  }

  /** Running times of the chosen call. */
  tick(chosen, now, asOf) {
    if (chosen) {
      this.#cards.get(chosen.call)?.tick(chosen, now, asOf);
    }
  }

  isInUse(call) {
    return this.#cards.get(call)?.isInUse ?? false;
  }

  /** Send what is typed in the notes of these calls, or of all. */
  keepNotes(how, calls = this.#cards.keys()) {
    for (const call of calls) {
      this.#cards.get(call)?.note.flush(how);
    }
  }

  scrollIntoView() {
    this.#node.scrollIntoView({ block: "nearest" });
  }

  #card(call) {
    if (!this.#cards.has(call)) {
      const { acts, ...deps } = this.#deps;
      this.#cards.set(
        call,
        new CardView(
          deps,
          () => acts.close(call),
          () => acts.ignore(call),
        ),
      );
    }
    return this.#cards.get(call);
  }

  #forget(shown) {
    for (const [call, card] of this.#cards) {
      if (!shown.has(call)) {
        card.note.flush();
        this.#cards.delete(call);
      }
    }
  }
}
