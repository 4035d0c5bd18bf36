// One line for each call that does not stand large: others of this page, and those that another page shows.

import { lookOf, stateOf, timeOf } from "./call-words.js";
import { order, part, say } from "./parts.js";

export class Strips {
  #parent;
  #words;
  #act;
  #strips = new Map();
  #closeAll;

  /** act(what, call) with what: show, take, close or close-all. */
  constructor(parent, words, act) {
    this.#parent = parent;
    this.#words = words;
    this.#act = act;
    this.#closeAll = part("close-all").element;
    this.#closeAll.querySelector("button").addEventListener("click", () => act("close-all", null));
  }

  update({ here, unanswered, elsewhere }, now, asOf) {
    const lines = [
      ...unanswered.map((entry) => this.#line(entry, false, now, asOf)),
      ...here.map((entry) => this.#line(entry, false, now, asOf)),
      ...elsewhere.map((entry) => this.#line(entry, true, now, asOf)),
    ];
    const isMany = here.filter((entry) => entry.state === "ended").length > 1;
    order(this.#parent, isMany ? [...lines, this.#closeAll] : lines);
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
    say(slot("state"), isElsewhere ? this.#words.elsewhere : stateOf(entry, this.#words));
    say(slot("time"), isElsewhere ? "" : timeOf(entry, now, this.#words, asOf));
    say(slot("name"), isElsewhere ? "" : (entry.card?.name ?? this.#words.not_loaded));
    const isOurs = entry.place === "here";
    for (const [act, isShown] of [["show", isOurs], ["take", isElsewhere], ["close", isOurs]]) {
      element.querySelector(`[data-act="${act}"]`).hidden = !isShown;
    }
    return element;
  }

  #make(call) {
    const strip = part("strip");
    strip.element.addEventListener("click", (event) => {
      const act = event.target.closest("[data-act]")?.dataset.act;
      if (act) {
        this.#act(act, call);
      }
    });
    this.#strips.set(call, strip);
    return strip;
  }
}
