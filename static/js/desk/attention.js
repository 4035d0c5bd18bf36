// What reaches a person who is not looking at the page: its title, a spoken line, a notification after consent.

import { say } from "./parts.js";
import { fill } from "./times.js";

export class Attention {
  #words;
  #told = new Map();
  #heard = "";

  constructor(words) {
    this.#words = words;
    this.#offerConsent();
  }

  /** ringing: the calls that ring and are shown in this page; talking: the one that is being talked in, or undefined. */
  update(ringing, talking) {
    const first = ringing[0]?.card;
    document.title = first
      ? fill(this.#words.title_ringing, { name: first.name })
      : talking?.card
        ? fill(this.#words.title_talking, { name: talking.card.name })
        : this.#words.title;
    this.#speak(first);
    ringing.filter((entry) => !this.#told.has(entry.leg)).forEach((entry) => this.#notify(entry));
    this.#withdraw(new Set(ringing.map((entry) => entry.leg)));
  }

  #speak(card) {
    const text = card ? fill(this.#words.heard_ringing, { ...card }) : "";
    if (text !== this.#heard) {
      this.#heard = text;
      say(document.getElementById("heard"), text);
    }
  }

  #notify(entry) {
    this.#told.set(entry.leg, null);
    if (document.hasFocus() || globalThis.Notification?.permission !== "granted") {
      return;
    }
    const body = [entry.card.number, entry.card.queue, entry.card.said[0]].filter(Boolean).join(" · ");
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
    document.getElementById("consent-button").addEventListener("click", async () => {
      await Notification.requestPermission();
      offer.hidden = !isOpen();
    });
  }
}
