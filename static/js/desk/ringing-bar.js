// A call that rings where nobody looks, because the page is scrolled away from it: a bar across the top of the window.

import { setHidden, setText } from "../lib/dom.js";
import { stateOf, timeOf } from "./call-texts.js";

const BAND_PX = 60; // so much of a card or a line says that it rings

export class RingingBar {
  #bar = document.getElementById("ringing");
  #texts;
  #entry = null;
  #find;

  /** find(entry) gives the element that shows the call. */
  constructor(texts, find) {
    this.#texts = texts;
    this.#find = find;
    this.#bar.querySelector("button").addEventListener("click", () => find(this.#entry)?.scrollIntoView({ block: "start" }));
    addEventListener("scroll", () => this.#hideWhereSeen(), { passive: true });
  }

  /** entry: the call that rings, or undefined. */
  update(entry, now, asOf) {
    this.#entry = entry ?? null;
    if (entry) {
      const slot = (name) => this.#bar.querySelector(`[data-slot="${name}"]`);
      setText(slot("state"), stateOf(entry, this.#texts));
      setText(slot("time"), timeOf(entry, now, this.#texts, asOf));
      setText(slot("name"), entry.card?.name ?? this.#texts.not_loaded);
    }
    this.#hideWhereSeen();
  }

  #hideWhereSeen() {
    setHidden(this.#bar, this.#entry === null || isSeen(this.#find(this.#entry)));
  }
}

/** Whether its head is in the window; an element in another window stands on top of all others anyway. */
function isSeen(element) {
  if (!element || element.ownerDocument !== document) {
    return element !== null && element !== undefined;
  }
  const { top } = element.getBoundingClientRect();
  return top > -BAND_PX / 2 && top < innerHeight - BAND_PX;
}
