// One line for each call that does not stand large: others of this page, and those that another page shows. What is
// over lies below the card: a call that rings is never pushed down by those before it.

import { closeText, lookOf, stateOf, timeOf } from "./call-texts.js";
import { setChildren, setText } from "../lib/dom.js";
import { templateWithSlots } from "./slots.js";

const isOver = (entry) => entry.state === "ended";

export class CallStrips {
  #above;
  #below;
  #texts;
  #act;
  #strips = new Map();
  #closeAll;

  /** act(what, call) with what: show, take, close or close-all. */
  constructor(above, below, texts, act) {
    this.#above = above;
    this.#below = below;
    this.#texts = texts;
    this.#act = act;
    this.#closeAll = templateWithSlots("close-all").element;
    this.#closeAll.querySelector("button").addEventListener("click", () => act("close-all", null));
  }

  /** The line of a call, if it has one. */
  find(call) {
    return this.#strips.get(call)?.element;
  }

  update({ here, unanswered, elsewhere }, now, asOf) {
    const lines = (entries, isElsewhere = false) => entries.map((entry) => this.#line(entry, isElsewhere, now, asOf));
    const over = here.filter(isOver);
    const open = here.filter((entry) => !isOver(entry));
    setChildren(this.#above, [...lines(unanswered), ...lines(open), ...lines(elsewhere, true)]);
    setChildren(this.#below, over.length > 1 ? [...lines(over), this.#closeAll] : lines(over));
    const live = new Set([...here, ...unanswered, ...elsewhere].map((entry) => entry.call));
    for (const call of this.#strips.keys()) {
      if (!live.has(call)) {
        this.#strips.delete(call);
      }
    }
  }

  #line(entry, isElsewhere, now, asOf) {
    const { element, slot } = this.#strips.get(entry.call) ?? this.#make(entry.call);
    element.dataset.state = isElsewhere ? "elsewhere" : lookOf(entry);
    setText(slot("state"), isElsewhere ? this.#texts.elsewhere : stateOf(entry, this.#texts));
    setText(slot("time"), isElsewhere ? "" : timeOf(entry, now, this.#texts, asOf));
    setText(slot("name"), isElsewhere ? "" : (entry.card?.name ?? this.#texts.not_loaded));
    setText(element.querySelector('[data-act="close"]'), closeText(entry, this.#texts));
    const isOurs = entry.place === "here";
    for (const [act, isShown] of [
      ["show", isOurs],
      ["take", isElsewhere],
      ["close", isOurs],
    ]) {
      element.querySelector(`[data-act="${act}"]`).hidden = !isShown;
    }
    return element;
  }

  #make(call) {
    const strip = templateWithSlots("strip");
    strip.element.addEventListener("click", (event) => {
      const act = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-act]"))?.dataset.act;
      if (act) {
        this.#act(act, call);
      }
    });
    this.#strips.set(call, strip);
    return strip;
  }
}
