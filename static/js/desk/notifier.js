// What reaches a person who is not looking at the page: its title, the badge of the app, a spoken line, a notification
// after consent. What a browser lacks is silently absent.

import { setText } from "../lib/dom.js";
import { comma, fill } from "../lib/format.js";

export class Notifier {
  #texts;
  #told = new Map();
  #heard = "";
  #badged = 0;

  constructor(texts) {
    this.#texts = texts;
    this.#offerConsent();
  }

  /**
   * ringing: the calls that ring and are shown in this page; talking: the one that is being talked in, or undefined;
   * missed: how many missed calls nobody has put away; isSeen: whether the person looks at the card anyway.
   */
  update({ ringing, talking, missed, isSeen }) {
    const first = ringing[0]?.card;
    const count = ringing.length + missed;
    const title = this.#title(first, talking?.card);
    document.title = count > (first ? 1 : 0) ? fill(this.#texts.title_count, { n: count, title }) : title;
    this.#badge(count);
    this.#speak(first);
    ringing.filter((entry) => !this.#told.has(entry.leg)).forEach((entry) => this.#notify(entry, isSeen));
    this.#withdraw(new Set(ringing.map((entry) => entry.leg)));
  }

  #title(ringing, talking) {
    const { title, title_ringing: rings, title_talking: talks } = this.#texts;
    return ringing ? fill(rings, { name: ringing.name }) : talking ? fill(talks, { name: talking.name }) : title;
  }

  /** On the icon of the app, where the desk is installed as one. */
  #badge(count) {
    if (count !== this.#badged) {
      this.#badged = count;
      navigator.setAppBadge?.(count)?.catch(() => {});
    }
  }

  #speak(card) {
    const text = card ? fill(this.#texts.title_ringing, { name: spoken(card) }) : "";
    if (text !== this.#heard) {
      this.#heard = text;
      setText(document.getElementById("heard"), text);
    }
  }

  #notify(entry, isSeen) {
    this.#told.set(entry.leg, null);
    if (isSeen || globalThis.Notification?.permission !== "granted") {
      return;
    }
    const body = [entry.card.number, entry.card.queue, entry.card.sentences[0]].filter(Boolean).join(" · ");
    const shown = new Notification(entry.card.name, { body, tag: `call-${entry.call}` });
    shown.addEventListener("click", () => {
      window.focus();
      shown.close();
    });
    this.#told.set(entry.leg, shown);
  }

  #withdraw(ringing) {
    for (const [leg, shown] of this.#told) {
      if (!ringing.has(leg)) {
        shown?.close();
        this.#told.delete(leg);
      }
    }
  }

  #offerConsent() {
    const offer = document.getElementById("consent");
    const isOpen = () => globalThis.isSecureContext && globalThis.Notification?.permission === "default";
    offer.hidden = !isOpen();
    offer.addEventListener("click", async () => {
      await Notification.requestPermission();
      offer.hidden = !isOpen();
    });
  }
}

/** Who calls, as far as it is known: a caller without a name is called by the number, and not every call comes by a queue. */
function spoken({ name, number, queue }) {
  const way = [number, queue].filter(Boolean).join(" ");
  return [name, way].filter(Boolean).join(comma());
}
